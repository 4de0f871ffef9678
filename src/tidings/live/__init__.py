"""Standing events: followed until someone closes them, shown on live pages, announced by alarms."""
