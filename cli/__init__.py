"""The command line: one typer program, one file per command."""
