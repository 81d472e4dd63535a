"""`python parent_death.py PARENT PROGRAM ARGUMENT...`: becomes the program, which ends when its parent does.

Only Linux has this (prctl, PR_SET_PDEATHSIG). Elsewhere the program outlives a parent that was killed outright.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Ask to end with the parent, and become the program. Nothing is begun for a parent that has gone already."""
    parent, program, *arguments = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == int(parent):
        os.execv(program, [program, *arguments])  # noqa: S606  a path that our own process gave


if __name__ == "__main__":
    main()
