"""The layers of a race on many machines, with Dask distributed.

The process that asks holds the whole value array. Each chunk of a layer becomes a task that is
sent the cells and the rows of the array it needs, and returns their values; the scheduler gives
the chunks of a lost worker to the others. A worker compiles the turn once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, cast

import numpy as np

from solver.errors import ClusterError, NotationError, UsageError
from solver.games.protocol import Game, ScoreRace, race_of
from solver.match.boundary import Floats, Ints, LastTurns, RaceValues, points_in_steps
from solver.match.cells import SolvedCells, guess_terms, solve_cells
from solver.match.race import Runner
from solver.turn.compile import compile_turn
from solver.turn.roots import RootSolver, root_solver

_PATIENCE = 20.0  # seconds to reach a scheduler
_RETRIES = 3


@dataclass(frozen=True, slots=True, eq=False)
class KnownRows:
    """The part of an array of open play that a chunk needs; indexed like the whole array.

    Parameters
    ----------
    shape
        Shape of the whole array, the last axis left out.
    number
        int64, shape (rows,): flat numbers of the rows, ascending.
    rows
        float64, shape (rows, seats + 2).
    """

    shape: tuple[int, ...]
    number: Ints
    rows: Floats

    def __getitem__(self, index: tuple[Any, ...]) -> Floats:
        """Return the rows at (seat, scores...)."""
        seat, *scores = index
        states = (np.broadcast_to(seat, scores[0].shape), *scores)
        wanted = np.ravel_multi_index(states, self.shape)
        found: Floats = self.rows[np.searchsorted(self.number, wanted)]
        return found


def needed_rows(values: RaceValues, cells: Ints) -> KnownRows:
    """Return the rows of open play that solving these cells needs."""
    n, target = values.seats, values.race.target
    shape = (n, *(target,) * n)
    wanted = []
    for m in range(n):
        for gain in np.unique(values.points[values.points > 0]).tolist():
            moved = cells.copy()
            moved[:, m] += gain
            wanted.append(((m + 1) % n, moved[moved[:, m] < target]))
        for _, terms in guess_terms(cells, target):
            wanted.extend((m, scores) for _, scores in terms)
    numbers = [np.ravel_multi_index((np.full(len(s), m), *s.T), shape) for m, s in wanted]
    number = np.unique(np.concatenate(numbers))
    flat = np.asarray(values.open_play).reshape(-1, values.width)
    return KnownRows(shape, number, flat[number])


def on_cluster(address: str, game: Game, seats: int) -> Runner:
    """Return a runner that solves chunks on a cluster.

    Parameters
    ----------
    address
        Address of a Dask scheduler, or ``local:N`` for N worker processes here.
    game
        The rules; every worker must be able to import them.
    seats
        Number of seats.

    Raises
    ------
    UsageError
        If the extra ``cluster`` is not installed.
    """
    if find_spec("distributed") is None:
        raise UsageError(
            "--cluster needs Dask distributed",
            remedy='pip install "should-i-roll[cluster]"',
            field="cluster",
        )
    local = _local_workers(address)
    stack = ExitStack()
    client: Any = None

    def run(values: RaceValues, chunks: list[Ints]) -> Iterator[SolvedCells]:
        nonlocal client
        if client is None:
            client = _connect(stack, address, local)
        try:
            futures = [
                client.submit(
                    solve_chunk,
                    game,
                    values.race,
                    seats,
                    needed_rows(values, cells),
                    dict(values.last_turns),
                    cells,
                    pure=False,
                    retries=_RETRIES,
                )
                for cells in chunks
            ]
            yield from client.gather(futures)
        except ClusterError:
            raise
        except Exception as error:
            if not _is_the_clusters(error) and client.status == "running":
                raise
            raise ClusterError(
                f"the cluster {address} died: {type(error).__name__}: {error}",
                remedy="start it again; with --checkpoint the finished layers are kept",
            ) from error
        if chunks[-1].sum() == 0:  # the last layer is the start of the match
            stack.close()

    return run


def solve_chunk(
    game: Game, race: ScoreRace, seats: int, known: KnownRows, last: LastTurns, cells: Ints
) -> SolvedCells:
    """Solve a chunk of cells; runs on a worker."""
    solve, points = _solver(game)
    values = RaceValues(race, seats, points, cast("Floats", known), last)
    return solve_cells(values, cells, solve, {})


@lru_cache(maxsize=4)
def _solver(game: Game) -> tuple[RootSolver, Ints]:
    graph = compile_turn(game)
    return root_solver(graph), points_in_steps(race_of(game), graph.points, game.name)


def _local_workers(address: str) -> int | None:
    if not address.startswith("local"):
        return None
    head, _, count = address.partition(":")
    if head != "local" or not (count or "2").isdigit() or not 1 <= int(count or "2") <= 1024:
        raise NotationError(
            "this is no cluster",
            text=address,
            at=0,
            remedy="local:2 for two workers here, or the address of a scheduler: tcp://host:8786",
            field="cluster",
        )
    return int(count or "2")


def _connect(stack: ExitStack, address: str, local: int | None) -> Any:
    from distributed import Client, LocalCluster  # noqa: PLC0415  heavy, and an extra

    try:
        if local is not None:
            cluster = stack.enter_context(
                LocalCluster(n_workers=local, threads_per_worker=1, dashboard_address=None)
            )
            return stack.enter_context(Client(cluster))
        return stack.enter_context(Client(address, timeout=_PATIENCE))
    except (OSError, TimeoutError, ValueError) as error:
        stack.close()
        raise ClusterError(
            f"the cluster {address} cannot be reached: {error}",
            remedy="check the address of the scheduler, tcp://host:8786, or try local:2",
            field="cluster",
        ) from None


def _is_the_clusters(error: Exception) -> bool:
    from distributed import scheduler  # noqa: PLC0415  an extra
    from distributed.client import FutureCancelledError  # noqa: PLC0415
    from distributed.comm.core import CommClosedError  # noqa: PLC0415

    lost = (scheduler.KilledWorker, FutureCancelledError, CommClosedError, OSError, TimeoutError)
    return isinstance(error, lost)
