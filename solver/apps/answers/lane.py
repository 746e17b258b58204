"""A lane for work that takes longer than a table look-up: one thread, and a short queue."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from solver.apps.answers.refusal import BusyError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Job(Generic[T]):
    work: Callable[[], T]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[T]


class Lane:
    """Runs one job after another in a thread of its own.

    The thread dies with the process: jobs only read.

    Parameters
    ----------
    waiting
        Jobs that may wait; more are refused.
    patience
        Seconds after which nobody waits for an answer any longer; None to wait for ever.
    """

    def __init__(self, waiting: int = 32, patience: float | None = 10.0) -> None:
        self._jobs: queue.Queue[_Job[object]] = queue.Queue(waiting)
        self._patience = patience
        threading.Thread(target=self._work, name="lane", daemon=True).start()

    @property
    def waiting(self) -> int:
        """Jobs in the queue."""
        return self._jobs.qsize()

    async def run(self, work: Callable[[], T]) -> T:
        """Return what `work` returns, or raise what it raises.

        Raises
        ------
        BusyError
            If too many jobs are waiting, or the answer does not come in time.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        try:
            self._jobs.put_nowait(_Job(work, loop, done))  # type: ignore[arg-type]
        except queue.Full:
            raise BusyError("too many turns are waiting to be solved") from None
        try:
            return await asyncio.wait_for(done, self._patience)
        except TimeoutError:
            raise BusyError("the answer did not come in time") from None

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            if job.done.cancelled():  # nobody waits for it
                continue
            self._tell(job, *_outcome(job.work))

    @staticmethod
    def _tell(job: _Job[object], answer: object, error: Exception | None) -> None:
        def unless_given_up() -> None:
            if job.done.done():
                return
            if error is None:
                job.done.set_result(answer)
            else:
                job.done.set_exception(error)

        try:
            job.loop.call_soon_threadsafe(unless_given_up)
        except RuntimeError:  # the loop is closed: the server has stopped
            return


def _outcome(work: Callable[[], object]) -> tuple[object, Exception | None]:
    try:
        return work(), None
    except Exception as error:  # noqa: BLE001  handed to whoever asked
        return None, error
