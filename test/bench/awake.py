"""Keeps one processor from sleeping, at the lowest rank there is: whatever else wants to run goes first. Ends with whoever started it."""

import os

PARENT = os.getppid()
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
while os.getppid() == PARENT:
    pass
