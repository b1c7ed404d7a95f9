"""The commands: batch runs, the catalogue, and checks of the hub."""
