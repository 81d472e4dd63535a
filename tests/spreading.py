"""How files of tests are spread over processes: in their order, and as late as can be."""

from collections.abc import Callable
from typing import Any

from xdist.scheduler import LoadFileScheduling


class Files(LoadFileScheduling):
    """A file goes to one process, once that is through with the one before."""

    def _reschedule(self, node: Any) -> None:
        # A process begins a test when it knows the next one. With two more to do it could go on, but whatever was given
        # to it would wait for both of them, while other processes may have nothing to do.
        if self.workqueue and self._pending_of(self.assigned_work[node]) > 1:
            return
        super()._reschedule(node)

    def leave_out(self, unwanted: Callable[[str], bool]) -> int:
        """Forget files that no process has yet; gives how many tests they have."""
        left = [file for file in self.workqueue if unwanted(file)]
        return sum(len(self.workqueue.pop(file)) for file in left)
