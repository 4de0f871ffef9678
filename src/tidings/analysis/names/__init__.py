"""Who and where: names in text, which of them are one entity's, and (in time) what matters of them each day."""
