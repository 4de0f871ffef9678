"""A pace for any system: about so many updates a day, an hour or in all, held by a gate over the system's scores."""
