"""The work around a race: estimates, layers kept and sent to workers, progress; by hand."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace

import numpy as np
import pytest
from small_games import CHASE, Lottery
from turns import turn_of

from solver.errors import ClusterError, CorruptTableError, NotationError, UsageError, WriteError
from solver.games.protocol import ScoreRace
from solver.games.readings import End, Tie
from solver.match import checkpoint as checkpoint_module
from solver.match import cluster, estimate, race
from solver.match.boundary import RaceValues
from solver.match.cells import SolvedCells, _Search, joined, solve_cells
from solver.match.checkpoint import LayerStore
from solver.match.last_turns import solve_last_turns
from solver.match.mixing import Mix
from solver.match.policies import SeatPolicy
from solver.match.race import layers, solve_race, threads
from solver.match.seated import SeatPlay, evaluate_race
from solver.turn.roots import root_solver

GRAPH = turn_of(CHASE)  # outcomes of 0, 1 and 4 points


def solver_of(graph=GRAPH):
    return root_solver(graph, compiled=False)


def race_to(target, end=End.ROUND):
    return ScoreRace(target, end, Tie.SHARED)


class TestEstimate:
    """Bytes and turns of three seats to ten points, with outcomes of 0, 1 and 4 points."""

    def test_states_turns_and_bytes_where_the_round_is_completed(self):
        found = estimate.estimate(race_to(10), 3, GRAPH.points)
        assert found.states == 3 * 10**3
        # three turns a state; last turns: one left behind 1 or 2 holders, two left behind 1
        assert found.turns == 3 * 3000 + 5 * 2 + 5**2
        table = 3000 * 5 * 8
        last = 5 * 3 * 8 * 2 + 25 * 4 * 8
        chunk = 100 * 3 * 3 * 5 * 8 * 6  # a layer has 100 cells at most
        assert found.disk == table + last
        assert found.memory == 150 * 2**20 + table + last + chunk
        assert found.seconds is None

    def test_where_the_last_turns_are_many_their_batch_is_counted(self):
        points = np.array([0, 1, 100])
        found = estimate.estimate(race_to(2), 3, points)
        last = 101 * 3 * 8 * 2 + 101**2 * 4 * 8
        batch = 101**2 * 3 * 4 * 8 * 3
        assert found.memory == 150 * 2**20 + 24 * 5 * 8 + last + batch
        assert found.turns == 3 * 24 + 101 * 2 + 101**2

    def test_won_at_once_there_are_no_last_turns(self):
        found = estimate.estimate(race_to(10, End.IMMEDIATE), 3, GRAPH.points, workers=2)
        assert found.turns == 9000
        assert found.disk == 3000 * 5 * 8
        assert found.memory == 150 * 2**20 + found.disk + 2 * 100 * 3 * 3 * 5 * 8 * 6

    def test_a_chunk_is_no_more_than_is_solved_at_once(self):
        found = estimate.estimate(race_to(50, End.IMMEDIATE), 3, GRAPH.points)
        assert found.memory - found.disk - 150 * 2**20 == 2048 * 3 * 3 * 5 * 8 * 6

    def test_time_is_that_of_a_measured_batch_by_threads(self, monkeypatch):
        """A solver whose clock goes on by 2 ms a turn: 9035 turns are 18 s, or 9 for two."""
        now = [0.0]
        monkeypatch.setattr(estimate.time, "perf_counter", lambda: now[0])

        def solve(payoffs):
            assert payoffs.shape[1] == 3
            assert (np.diff(payoffs, axis=1) >= 0).all()
            now[0] += 0.002 * len(payoffs)

        for workers in (1, 2):
            found = estimate.estimate(race_to(10), 3, GRAPH.points, workers, solve)
            assert found.seconds == pytest.approx(0.002 * 9035 / workers)

    def test_it_is_told_in_the_units_of_people(self):
        found = estimate.Estimate(1234, 5678, 7300.0, 3 * 2**20, 2**20)
        assert str(found) == (
            "1,234 boundary states, 5,678 turns to solve, about 2.0 hours,"
            " 3 MiB of memory, 1 MiB on disk"
        )
        assert ", about" not in str(estimate.Estimate(1, 1, None, 1, 1))
        units = [(1.5, "1.5 seconds"), (119.0, "119.0 seconds"), (120.0, "2.0 minutes")]
        units += [(7199.0, "120.0 minutes"), (7200.0, "2.0 hours"), (172799.0, "48.0 hours")]
        units += [(172800.0, "2.0 days")]
        for seconds, said in units:
            assert estimate._duration(seconds) == said

    def test_what_fits_exactly_fits(self, monkeypatch):
        found = estimate.Estimate(1, 1, None, 1000, 1)
        assert estimate.fits(found, 1000)
        assert not estimate.fits(found, 999)
        for spare, fits in ((1000, True), (999, False), (None, True)):
            monkeypatch.setattr(estimate, "available", lambda spare=spare: spare)
            assert estimate.fits(found, None) == fits
            assert estimate.fits(found, 1000)
        monkeypatch.setattr(estimate, "available", lambda: 5 * 2**20)
        assert "fit 5 MiB" in str(estimate.too_large(found, None, 3))
        assert "fit 7 MiB" in str(estimate.too_large(found, 7 * 2**20, 3))
        assert "match of 3 seats" in str(estimate.too_large(found, None, 3))

    def test_the_machine_is_asked_for_its_pages(self, monkeypatch):
        pages = {"SC_PAGE_SIZE": 4096, "SC_AVPHYS_PAGES": 100}
        monkeypatch.setattr(estimate.os, "sysconf", pages.__getitem__)
        assert estimate.available() == 409600

        def fails(_name):
            raise ValueError

        monkeypatch.setattr(estimate.os, "sysconf", fails)
        assert estimate.available() is None


class TestLayers:
    def test_layers_have_one_total_each_from_the_highest(self):
        found = [layer.tolist() for layer in layers(3, 2)]
        assert found == [
            [[2, 2]],
            [[1, 2], [2, 1]],
            [[0, 2], [1, 1], [2, 0]],
            [[0, 1], [1, 0]],
            [[0, 0]],
        ]

    def test_chunks_are_cut_for_all_threads(self, monkeypatch):
        """A layer of one chunk keeps three threads busy, 64 cells each at least."""
        seen = []
        monkeypatch.setattr(
            race, "solve_cells", lambda _v, cells, *_: seen.append(cells) or len(cells)
        )
        every = np.arange(2 * 200).reshape(200, 2)
        run = threads(solver_of(), 3)
        assert list(run(None, [every])) == [67, 67, 66]
        assert list(run(None, [every[:100]])) == [50, 50]
        assert list(run(None, [every[:128]])) == [64, 64]
        assert list(run(None, [every[:60]])) == [60]
        assert list(run(None, [every] * 2)) == [100, 100, 100, 100]
        assert list(run(None, [every] * 3)) == [200, 200, 200]

    def test_joined_chunks_keep_their_mixes_and_turns(self):
        mix = Mix(0.25, 0.5)
        parts = [
            SolvedCells(np.full((2, 1), 1.0), 3, {1: {0: mix}}),
            SolvedCells(np.full((3, 1), 2.0), 4, {0: {1: mix}, 2: {0: mix, 1: mix}}),
        ]
        whole = joined(parts)
        assert whole.value[:, 0].tolist() == [1.0, 1.0, 2.0, 2.0, 2.0]
        assert whole.turns == 7
        assert whole.mixes == {1: {0: mix}, 2: {1: mix}, 4: {0: mix, 1: mix}}

    def test_progress_tells_the_start_and_every_chunk(self):
        told = []
        found = solve_race(
            race_to(3),
            2,
            GRAPH.points,
            solver_of(),
            chunk=2,
            progress=lambda *now: told.append(now),
        )
        assert told == [(n, 9) for n in (0, 1, 3, 5, 6, 8, 9)]
        assert found.cells == 9
        assert found.turns >= 2 * 9

    def test_progress_of_a_run_that_goes_on_begins_with_what_is_kept(self, tmp_path):
        def run(told):
            return solve_race(
                race_to(3),
                2,
                GRAPH.points,
                solver_of(),
                progress=lambda *now: told.append(now),
                kept=LayerStore(tmp_path, {}),
            )

        first = run([])
        for number in (2, 4):
            (tmp_path / f"layer-0000{number}.bin").unlink()
        told = []
        again = run(told)
        assert told == [(3, 9), (6, 9), (9, 9)]  # layers 0, 1 and 3 were kept
        assert again.turns == first.turns
        assert np.array_equal(again.values.open_play, first.values.open_play)

    def test_seats_with_a_policy_play_it_in_their_last_turn_too(self):
        """The same match, evaluated by the code for given seats."""
        points = GRAPH.points

        def open_play(scores):
            return np.array([[0.5, 0.25, 0.25] if a > b else [0.25, 0.5, 0.25] for a, b in scores])

        def last_turn(behind):
            return np.array([[0.5, 0.0, 0.5] if d > 1 else [0.0, 1.0, 0.0] for d in behind])

        policy = SeatPolicy(open_play, last_turn)
        play = SeatPlay(open_play, lambda deficits, _holders: last_turn(deficits[:, 0]))
        solve = solver_of()
        for seat in (0, 1):
            found = solve_race(race_to(4), 2, points, solve, fixed={seat: policy}).values
            plays = [play if m == seat else None for m in range(2)]
            right = evaluate_race(race_to(4), points, plays, solve, turn_error=0.0).values
            assert np.array_equal(found.open_play, right.open_play)
            assert np.array_equal(found.last_turns[1, 1], right.last_turns[1, 1])
        free = SeatPolicy(open_play)  # without one it plays its best there
        found = solve_race(race_to(4), 2, points, solve, fixed={1: free}).values
        best = solve_race(race_to(4), 2, points, solve).values
        assert np.array_equal(found.last_turns[1, 1], best.last_turns[1, 1])
        assert not np.array_equal(found.open_play, best.open_play)


class TestSearch:
    """Which seats of which cells are asked next: all at once, then seat by seat."""

    def test_all_seats_at_once_at_first(self):
        search = _Search(2, [0, 2])
        rows, movers = search.batch()
        assert (rows.tolist(), movers.tolist()) == ([0, 0, 1, 1], [0, 2, 0, 2])
        search.step(np.array([0]))  # cell 1 has not changed: it is done
        rows, movers = search.batch()
        assert (rows.tolist(), movers.tolist()) == ([0, 0], [0, 2])
        search.step(np.array([], dtype=int))
        assert (len(search.active), search.restless) == (0, [])

    def test_then_seat_by_seat_until_none_of_them_changes_anything(self):
        """A seat that changes is asked again, and then all others once more."""
        search = _Search(3, [0, 1, 2])
        for _ in range(8):
            assert len(search.batch()[0]) == 9
            search.step(np.array([0, 1, 2]))
        asked = []
        for changed in ([1, 2], [2], [1, 2], [2], [2], [2], [2]):
            rows, movers = search.batch()
            asked.append(dict(zip(rows.tolist(), movers.tolist(), strict=True)))
            search.step(np.array(changed))
        assert asked == [
            {0: 0, 1: 0, 2: 0},
            {0: 1, 1: 0, 2: 0},
            {0: 2, 1: 1, 2: 0},  # and with that cell 0 is done: no seat of it has changed
            {1: 1, 2: 0},
            {1: 2, 2: 0},
            {1: 0, 2: 0},  # seat 1 has changed, so seat 0 is asked again
            {2: 0},
        ]
        assert search.active.tolist() == [2]

    def test_cells_that_go_round_are_given_up_after_forty_more(self):
        search = _Search(2, [0, 1])
        rounds = 0
        while len(search.active):
            search.step(np.array([1]) if rounds else np.array([0, 1]))
            rounds += 1
        assert rounds == 48
        assert search.restless == [1]

    def test_every_turn_that_is_solved_is_counted_in_mixing_cells_too(self):
        asked = []

        def solve(payoffs):
            asked.append(len(payoffs))
            return solver_of()(payoffs)

        found = solve_race(race_to(4), 3, GRAPH.points, solve)
        assert found.mixes
        before = sum(asked)
        solve_last_turns(3, GRAPH.points, solve)
        assert found.turns == before - (sum(asked) - before)


class TestCheckpoint:
    LAYER = SolvedCells(
        np.arange(24.0).reshape(2, 3, 4) / 7, 11, {1: {0: Mix(0.25, 0.5), 2: Mix(1 / 3, 0.1)}}
    )

    def test_a_layer_comes_back_as_it_was(self, tmp_path):
        store = LayerStore(tmp_path / "a" / "b", {"seats": 3})
        store.write(7, self.LAYER)
        assert sorted(p.name for p in (tmp_path / "a" / "b").iterdir()) == [
            "checkpoint.json",
            "layer-00007.bin",
        ]
        head = json.loads((tmp_path / "a" / "b" / "checkpoint.json").read_text())
        assert head == {"seats": 3, "version": 1}
        found = store.read(7)
        assert np.array_equal(found.value, self.LAYER.value)
        assert (found.turns, found.mixes) == (11, self.LAYER.mixes)
        found.value[0, 0, 0] = 9.0  # it may be changed
        assert store.read(6) is None
        assert LayerStore(tmp_path / "a" / "b", {"seats": 3}).read(7).turns == 11

    @pytest.mark.parametrize("place", [0, 63, 64, 70, 90, -1])
    def test_a_changed_byte_anywhere_is_seen(self, tmp_path, place):
        store = LayerStore(tmp_path, {})
        store.write(0, self.LAYER)
        content = bytearray((tmp_path / "layer-00000.bin").read_bytes())
        content[place] ^= 1
        (tmp_path / "layer-00000.bin").write_bytes(content)
        with pytest.raises(CorruptTableError, match="damaged"):
            store.read(0)

    def test_a_layer_that_cannot_be_written_is_named(self, tmp_path, monkeypatch):
        store = LayerStore(tmp_path, {})

        def full(*_):
            raise OSError("No space left on device")

        monkeypatch.setattr(checkpoint_module.os, "fsync", full)
        with pytest.raises(WriteError, match="layer 3 could not be written: No space"):
            store.write(3, self.LAYER)
        assert store.read(3) is None

    def test_what_is_on_disk_is_flushed_before_it_takes_the_name(self, tmp_path, monkeypatch):
        store, seen, sync = LayerStore(tmp_path, {}), [], os.fsync

        def flushed(number):
            (path,) = tmp_path.glob(".layer*")
            seen.append(path.stat().st_size)
            sync(number)

        monkeypatch.setattr(checkpoint_module.os, "fsync", flushed)
        store.write(0, self.LAYER)
        assert seen == [(tmp_path / "layer-00000.bin").stat().st_size]


class Futures:
    """A cluster of one: what is submitted is done at once, here."""

    def __init__(self, status="running", fails=None):
        self.status, self.fails, self.asked, self.closed = status, fails, [], False

    def submit(self, work, *arguments, pure, retries):
        assert (pure, retries) == (False, 3)
        self.asked.append(arguments)
        if self.fails is not None:
            raise self.fails
        return work(*arguments)

    def gather(self, futures):
        return futures


@pytest.fixture
def client(monkeypatch):
    """Return a function that makes the cluster that is connected to."""
    pytest.importorskip("distributed")

    def made(**options):
        found = Futures(**options)

        def connect(stack, address, local):
            found.told = address, local
            stack.callback(lambda: setattr(found, "closed", True))
            return found

        monkeypatch.setattr(cluster, "_connect", connect)
        return found

    return made


class TestCluster:
    def test_addresses_of_workers_here_are_counted(self):
        found = {"local": 2, "local:": 2, "local:1": 1, "local:7": 7, "local:1024": 1024}
        for address, workers in found.items():
            assert cluster._local_workers(address) == workers
        assert cluster._local_workers("tcp://host:8786") is None
        for wrong in ("local:0", "local:1025", "local:x", "local:-1", "locals", "localhost:8786"):
            with pytest.raises(NotationError, match="no cluster"):
                cluster._local_workers(wrong)

    def test_without_dask_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setattr(cluster, "find_spec", lambda _name: None)
        with pytest.raises(UsageError, match="Dask"):
            cluster.on_cluster("local:2", CHASE, 2)

    @pytest.mark.parametrize(("seats", "end"), [(2, End.ROUND), (3, End.ROUND), (2, End.IMMEDIATE)])
    def test_a_worker_is_sent_what_it_needs_and_no_more(self, seats, end):
        """With all other rows missing it solves the same cells to the same bits."""
        values = solve_race(race_to(5, end), seats, GRAPH.points, solver_of()).values
        for cells in layers(5, seats):
            known = cluster.needed_rows(values, cells)
            assert (np.diff(known.number) > 0).all()
            flat = values.open_play.reshape(-1, seats + 2)
            assert np.array_equal(known.rows, flat[known.number])
            used = np.zeros(len(flat), dtype=bool)

            class Seen:
                def __getitem__(self, index, used=used):
                    seat, *scores = index
                    where = np.broadcast_to(seat, scores[0].shape)
                    used[np.ravel_multi_index((where, *scores), values.open_play.shape[:-1])] = True
                    return values.open_play[index]

            whole = solve_cells(
                RaceValues(values.race, seats, values.points, Seen(), values.last_turns),
                cells,
                solver_of(),
                {},
            )
            assert known.number.tolist() == np.flatnonzero(used).tolist()
            race, last = values.race, values.last_turns
            part = cluster.solve_chunk(CHASE, race, seats, known, last, cells)
            assert np.abs(part.value - whole.value).max() < 1e-15

    def test_a_race_on_it_is_the_race_and_it_is_left_in_the_end(self, client):
        here = client()
        run = cluster.on_cluster("local:3", CHASE, 2)
        found = solve_race(race_to(5), 2, GRAPH.points, solver_of(), runner=run, chunk=2)
        right = solve_race(race_to(5), 2, GRAPH.points, solver_of())
        assert np.abs(found.values.open_play - right.values.open_play).max() < 1e-15
        assert here.told == ("local:3", 3)
        assert len(here.asked) == sum(-(-len(cells) // 2) for cells in layers(5, 2))
        assert here.closed

    @pytest.mark.parametrize(
        ("error", "status", "raised"),
        [
            (OSError("gone"), "running", ClusterError),
            (TimeoutError(), "running", ClusterError),
            (ValueError("a fault"), "closed", ClusterError),
            (ValueError("a fault"), "running", ValueError),
            (ClusterError("refused"), "running", ClusterError),
        ],
    )
    def test_what_the_cluster_does_is_told_from_faults_of_ours(self, client, error, status, raised):
        here = client(status=status, fails=error)
        run = cluster.on_cluster("tcp://host:1", CHASE, 2)
        with pytest.raises(raised) as caught:
            solve_race(race_to(2), 2, GRAPH.points, solver_of(), runner=run)
        assert here.told == ("tcp://host:1", None)
        if isinstance(error, raised):
            assert caught.value is error
        else:
            assert "tcp://host:1 died" in str(caught.value)

    def test_an_address_that_answers_nothing_is_one_message(self, monkeypatch):
        distributed = pytest.importorskip("distributed")
        for error in (OSError("no route"), TimeoutError("late"), ValueError("no address")):

            def refuse(*_, error=error, **options):
                assert options == {"timeout": 20.0}
                raise error

            monkeypatch.setattr(distributed, "Client", refuse)
            run = cluster.on_cluster("tcp://host:1", CHASE, 2)
            with pytest.raises(ClusterError, match="cannot be reached"):
                list(run(SimpleNamespace(), [np.zeros((1, 2))]))


def test_races_in_steps_are_solved_on_workers_in_steps():
    """The worker counts points as the process that asks does."""
    fives = Lottery((((0, 6), (4, 6)), ((0, 1), (2, 5), (4, 5))), target=4)
    stepped = SimpleNamespace(race=ScoreRace(4, End.ROUND, Tie.SHARED, step=2), name="stepped")
    graph = turn_of(fives)
    cluster._solver.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "compile_turn", lambda _game: graph)
        _, points = cluster._solver(Stepped(stepped.race))
    cluster._solver.cache_clear()
    assert points.tolist() == [0, 1, 2]


class Stepped:
    name = "stepped"

    def __init__(self, race):
        self.race = race
