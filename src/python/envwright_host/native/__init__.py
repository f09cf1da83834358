"""The native sandbox: one preloaded process that forks a contained child for each session. Linux only."""
