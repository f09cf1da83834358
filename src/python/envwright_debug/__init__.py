"""Plays the actions of one saved episode in an ordinary process, for a debugger.

Nothing here is contained: the environment runs with the rights of the user. Standard library only, valid for Python 3.9
to 3.14.
"""
