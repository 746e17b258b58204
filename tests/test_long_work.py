"""Long solves: checkpoints, clusters, and what happens when they are disturbed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import solver
from solver.errors import (
    ClusterError,
    CorruptTableError,
    NotationError,
    StaleTableError,
    WriteError,
)
from solver.games.source import source_digest
from solver.match.checkpoint import LayerStore
from solver.turn import compile_turn
from solver.turn.cache import cached_turn

GAME = solver.game("martian-dice", dice=6, target=6)
LAYERS = 3 * (6 - 1) + 1


@pytest.fixture(scope="module")
def whole():
    return solver.solve_match(GAME, 3, proof=False)


class TestCheckpoint:
    def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(self, whole, tmp_path):
        folder = tmp_path / "layers"
        program = (
            "import solver, time\n"
            "solver.solve_match(solver.game('martian-dice', dice=6, target=6), 3, proof=False,"
            f" checkpoint={str(folder)!r}, progress=lambda done, total: time.sleep(0.2))\n"
        )
        run = subprocess.Popen([sys.executable, "-c", program])
        until = time.monotonic() + 60
        while len(list(folder.glob("layer-*"))) < 5 and time.monotonic() < until:
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
        run.wait()
        kept = len(list(folder.glob("layer-*")))
        assert 5 <= kept < LAYERS
        again = solver.solve_match(GAME, 3, proof=False, checkpoint=folder)
        assert np.array_equal(again.values.open_play, whole.values.open_play)
        assert again.turns == whole.turns
        files = sorted(folder.glob("layer-*"))
        assert len(files) == LAYERS
        fresh = tmp_path / "fresh"
        solver.solve_match(GAME, 3, proof=False, checkpoint=fresh)
        for file in files:
            assert file.read_bytes() == (fresh / file.name).read_bytes()

    def test_finished_layers_are_not_solved_again(self, tmp_path):
        solver.solve_match(GAME, 2, proof=False, checkpoint=tmp_path)
        seen = []
        solver.solve_match(
            GAME, 2, proof=False, checkpoint=tmp_path, progress=lambda d, t: seen.append((d, t))
        )
        assert seen == []  # progress tells of chunks that were solved

    @pytest.mark.parametrize("other", [{"target": 10}, {"bonus": 2}, {"end": "immediate"}])
    def test_a_checkpoint_of_other_rules_is_refused(self, tmp_path, other):
        solver.solve_match(solver.game("martian-dice", dice=3, target=4), 2, checkpoint=tmp_path)
        with pytest.raises(StaleTableError, match="other rules"):
            solver.solve_match(
                solver.game("martian-dice", **{"dice": 3, "target": 4, **other}),
                2,
                checkpoint=tmp_path,
            )

    def test_a_checkpoint_of_another_number_of_seats_or_version_is_refused(self, tmp_path):
        LayerStore(tmp_path, {"seats": 2})
        with pytest.raises(StaleTableError):
            LayerStore(tmp_path, {"seats": 3})
        header = tmp_path / "checkpoint.json"
        header.write_text(header.read_text().replace('"version": 1', '"version": 2'))
        with pytest.raises(StaleTableError):
            LayerStore(tmp_path, {"seats": 2})
        header.write_text("rubbish")
        with pytest.raises(StaleTableError):
            LayerStore(tmp_path, {"seats": 2})

    def test_a_damaged_layer_is_refused(self, tmp_path):
        game = solver.game("martian-dice", dice=3, target=4)
        solver.solve_match(game, 2, checkpoint=tmp_path)
        layer = sorted(tmp_path.glob("layer-*"))[2]
        content = bytearray(layer.read_bytes())
        content[-3] ^= 1
        layer.write_bytes(content)
        with pytest.raises(CorruptTableError, match=layer.name):
            solver.solve_match(game, 2, checkpoint=tmp_path)

    def test_a_folder_that_cannot_be_written_is_one_message(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(WriteError, match="cannot be used"):
            solver.solve_match(GAME, 2, checkpoint=tmp_path / "file" / "layers")


class TestCluster:
    def test_two_workers_give_the_same_numbers_even_if_one_is_killed(self, whole):
        distributed = pytest.importorskip("distributed")
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            pids = list(client.run(os.getpid).values())
            killed = []

            def kill_one(done: int, total: int) -> None:
                if not killed and done > total // 4:
                    os.kill(pids[0], signal.SIGKILL)
                    killed.append(done)

            match = solver.solve_match(
                GAME, 3, proof=False, cluster=cluster.scheduler_address, progress=kill_one
            )
        assert killed
        assert np.array_equal(match.values.open_play, whole.values.open_play)

    def test_a_cluster_that_cannot_be_reached(self, monkeypatch):
        pytest.importorskip("distributed")
        monkeypatch.setattr("solver.match.cluster._PATIENCE", 1.0)
        with pytest.raises(ClusterError, match="cannot be reached"):
            solver.solve_match(GAME, 2, cluster="tcp://127.0.0.1:9")

    @pytest.mark.slow  # half a minute of waiting for what does not come back
    def test_a_cluster_that_dies(self):
        distributed = pytest.importorskip("distributed")
        with (
            distributed.LocalCluster(
                n_workers=1, threads_per_worker=1, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster),
        ):

            def close(done: int, total: int) -> None:
                del total
                if done:
                    cluster.close()

            with pytest.raises(ClusterError, match="died"):
                solver.solve_match(
                    GAME, 3, proof=False, cluster=cluster.scheduler_address, progress=close
                )

    @pytest.mark.parametrize("address", ["locale:2", "local:0", "local:two"])
    def test_what_is_no_cluster(self, address):
        pytest.importorskip("distributed")
        with pytest.raises(NotationError, match="no cluster"):
            solver.solve_match(GAME, 2, cluster=address)


class TestGraphCache:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path, monkeypatch):
        monkeypatch.setenv("SHOULD_I_ROLL_CACHE", str(tmp_path))
        return tmp_path

    def test_a_cached_graph_is_the_compiled_graph(self, folder):
        fresh = compile_turn(GAME)
        for _ in range(2):  # compiled and kept, then read
            found = cached_turn(GAME)
            assert found.digest == fresh.digest
            assert list(found.node_of.items()) == list(fresh.node_of.items())
            assert (found.outcomes, found.roots, found.blocks) == (
                fresh.outcomes,
                fresh.roots,
                fresh.blocks,
            )
            for name in ("points", "kind", "first", "child", "weight", "total", "probability"):
                a, b = getattr(found, name), getattr(fresh, name)
                assert a.dtype == b.dtype
                assert np.array_equal(a, b)
        assert len(list(folder.glob("*.graph"))) == 1

    def test_other_rules_are_another_file_and_the_match_is_not_part_of_the_turn(self, folder):
        cached_turn(GAME)
        cached_turn(solver.game("martian-dice", dice=6, target=12))
        assert len(list(folder.glob("*.graph"))) == 1
        cached_turn(solver.game("martian-dice", dice=4))
        assert len(list(folder.glob("*.graph"))) == 2

    @pytest.mark.parametrize("at", [0, 70, -1])
    def test_a_damaged_file_is_compiled_again(self, folder, at):
        right = cached_turn(GAME).digest
        (file,) = folder.glob("*.graph")
        content = bytearray(file.read_bytes())
        content[at] ^= 1
        file.write_bytes(content)
        assert cached_turn(GAME).digest == right
        file.write_bytes(b"")
        assert cached_turn(GAME).digest == right

    def test_a_folder_that_cannot_be_written_is_no_error(self, folder, monkeypatch):
        (folder / "file").write_text("")
        monkeypatch.setenv("SHOULD_I_ROLL_CACHE", str(folder / "file" / "below"))
        assert cached_turn(GAME).nodes > 0
        monkeypatch.setenv("SHOULD_I_ROLL_CACHE", "")
        assert cached_turn(GAME).nodes > 0

    def test_the_source_digest_depends_on_turn_parameters_only(self):
        digest = source_digest(GAME)
        assert digest == source_digest(solver.game("martian-dice", dice=6, target=3))
        assert digest != source_digest(solver.game("martian-dice", bonus=3, dice=12))
