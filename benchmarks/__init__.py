"""One question per file, answered with a table and a last line of JSON."""
