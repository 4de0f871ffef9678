"""Standing events: followed for ever, shown on live pages, told by alarms."""
