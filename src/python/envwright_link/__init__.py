"""Envwright's link into a training run: takes pushed environments from an inbox into the live memory buffer.

Installed beside the run (``pip install`` of this folder, or a ``PYTHONPATH``) and named in its launch line::

    --rollout-function-path envwright_link.rollout.generate

No code of the run changes. Standard library only. Whatever goes wrong in here is logged and swallowed: it never stops
or changes a rollout.
"""

VERSION = "0.1.0"
