"""One person's work: the state of a grid, the jobs that fill it, and how it is stored."""
