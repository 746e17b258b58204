"""The compiled kernel: the numpy kernel's and the exact solver's results, for every game."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numba")

from solver.errors import UsageError
from solver.games.martian_dice import MartianDice
from solver.games.pig import Pig
from solver.games.protocol import Bank, Choose, Expansion, Roll
from solver.turn import compile_turn, layout, passes
from solver.turn.exact import exact_distribution, solve_exact
from solver.turn.fast import prepare, solve_nodes, solve_roots
from solver.turn.graph import DECISION, TurnGraph
from solver.turn.kernel import TIE, distribution_batch, error_bound, evaluate_batch, solve_batch
from solver.turn.lanes import LANES

CLOSE = 1e-14
ODD_TOLERANCE = 0.0813  # no difference of the small fractions below is near it


@dataclass(frozen=True)
class Layers:
    """A random game: state i is ``nodes[i]``; its children have lower numbers."""

    nodes: tuple[Bank | tuple[int, ...] | tuple[tuple[int, int], ...], ...]
    beginnings: tuple[int, ...]
    name: str = "layers"

    def start(self) -> int:
        return self.beginnings[0]

    def starts(self) -> dict[int, int]:
        return dict(enumerate(self.beginnings))

    def expand(self, state: int) -> Expansion:
        node = self.nodes[state]
        if isinstance(node, Bank):
            return node
        if isinstance(node[0], tuple):
            return Roll(node)
        return Choose(dict(enumerate(node)))


@st.composite
def layers(draw: st.DrawFn) -> Layers:
    """Return a game of alternating layers of choices and rolls, as turns usually are."""
    nodes: list = [Bank(points) for points in range(draw(st.integers(2, 4)))]
    below = list(range(len(nodes)))
    for depth in range(draw(st.integers(1, 5))):
        layer = []
        for _ in range(draw(st.integers(1, 7))):
            # Mostly the layer just below, now and then one further down.
            child = st.sampled_from(below[-8:]) | st.integers(0, len(nodes) - 1)
            if draw(st.booleans()) if depth > 1 else depth:
                children = draw(st.lists(child, min_size=1, max_size=6, unique=True))
                layer.append(tuple(children))
            else:
                children = draw(st.lists(child, min_size=1, max_size=9, unique=True))
                layer.append(tuple((draw(st.integers(1, 4)), c) for c in children))
        below = list(range(len(nodes), len(nodes) + len(layer)))
        nodes += layer
    last = len(nodes) - 1
    return Layers(tuple(nodes), (last, *draw(st.lists(st.integers(0, last), max_size=2))))


def crowd(parents: int, siblings: int, options: int) -> Layers:
    """Return a game in which all rolls of a layer lead to the same choices."""
    banks = [Bank(points) for points in range(12)]
    deep = [((1 + i, i % 12), (2, (5 * i + 3) % 12)) for i in range(9)]
    choices = [
        tuple(dict.fromkeys((i * 7 + 5 * j * (i + 1)) % 21 for j in range(options + i % 2)))
        for i in range(siblings)
    ]
    first = 12 + len(deep)
    rolls = [
        tuple((1 + (i * j + j) % 7, first + i) for i in range(siblings)) for j in range(parents)
    ]
    top = tuple(range(first + siblings, first + siblings + parents))
    nodes = (*banks, *deep, *choices, *rolls, top)
    return Layers(nodes, (len(nodes) - 1,))


def payoffs_for(graph: TurnGraph, batch: int, seed: int, *, steps: bool = False) -> np.ndarray:
    generator = np.random.default_rng(seed)
    shape = (batch, len(graph.outcomes))
    if steps:  # many exact ties
        return generator.integers(0, 3, shape) / 2.0
    return generator.random(shape)


def assert_same(
    graph: TurnGraph, payoffs: np.ndarray, tiebreak: np.ndarray, *, tolerance: float = TIE
) -> None:
    """Compare everything that the compiled kernel returns with the numpy kernel."""
    prepared = prepare(graph)
    columns = np.ascontiguousarray(payoffs.T)
    expected = solve_batch(graph, columns, tiebreak=tiebreak, tolerance=tolerance)
    for root in graph.roots.values():
        value, distribution = solve_roots(
            prepared, payoffs, tiebreak=tiebreak, tolerance=tolerance, root=root
        )
        outcomes = distribution_batch(graph, expected.chosen, root).T
        np.testing.assert_allclose(value, expected.value[root], rtol=0, atol=CLOSE)
        np.testing.assert_allclose(distribution, outcomes, rtol=0, atol=CLOSE)
    bust = (graph.points == 0).astype(np.float64)
    value, chance = solve_nodes(
        prepared, payoffs, tiebreak=tiebreak, evaluate=bust, tolerance=tolerance
    )
    nodes = prepared.chance_nodes
    busts = evaluate_batch(graph, np.repeat(bust[:, None], len(payoffs), 1), expected.chosen)
    np.testing.assert_allclose(value, expected.value[nodes].T, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(chance, busts[nodes].T, rtol=0, atol=CLOSE)


def points_of(graph: TurnGraph) -> np.ndarray:
    return graph.points.astype(np.float64)


@pytest.fixture(scope="module")
def martian() -> TurnGraph:
    return compile_turn(MartianDice())


def race_like(graph: TurnGraph, batch: int) -> np.ndarray:
    """Return rising win chances, some of them flat at the top, and steps 0, 1/2, 1."""
    rising = np.sort(payoffs_for(graph, batch, 7), axis=1)
    count = np.arange(batch)[:, None]
    flat = np.where((np.arange(rising.shape[1]) > count % 17) & (count % 3 == 1), 1.0, rising)
    steps = np.clip((np.arange(rising.shape[1]) - count % 15) / 2.0, 0.0, 1.0)
    return np.where(count % 5 == 4, steps, flat)


@pytest.mark.parametrize("tolerance", [TIE, ODD_TOLERANCE])
def test_martian_dice_as_the_numpy_kernel(martian: TurnGraph, tolerance: float) -> None:
    assert_same(martian, race_like(martian, 31), points_of(martian), tolerance=tolerance)


@pytest.mark.parametrize("tolerance", [TIE, ODD_TOLERANCE])
def test_pig_as_the_numpy_kernel(tolerance: float) -> None:
    graph = compile_turn(Pig())
    payoffs = np.sort(payoffs_for(graph, 21, 3), axis=1)
    assert_same(graph, payoffs, points_of(graph), tolerance=tolerance)


@pytest.mark.parametrize("game", [MartianDice(), MartianDice(dice=5), Pig(target=30)])
def test_points_are_the_exact_value_within_the_bound(game: MartianDice | Pig) -> None:
    graph = compile_turn(game)
    points = points_of(graph)
    exact = solve_exact(graph, graph.points.tolist())
    value, _ = solve_roots(prepare(graph), points[None], tiebreak=points)
    bound = error_bound(graph) * points.max()
    assert abs(Fraction(float(value[0])) - exact.value(graph.root)) <= bound


@settings(max_examples=60, deadline=None)
@given(
    game=layers(),
    seed=st.integers(0, 10**6),
    batch=st.integers(1, 20),
    fewest=st.sampled_from([1, 2, 4]),
    steps=st.booleans(),
    tolerance=st.sampled_from([TIE, ODD_TOLERANCE]),
)
def test_any_game_as_the_numpy_kernel(
    game: Layers, seed: int, batch: int, fewest: int, steps: bool, tolerance: float
) -> None:
    graph = compile_turn(game)
    payoffs = payoffs_for(graph, batch, seed, steps=steps)
    tiebreak = np.random.default_rng(seed).permutation(points_of(graph))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "FEWEST_SIBLINGS", fewest)
        patch.setattr(layout, "MOST_DECISIONS", 1 + seed % 3)
        assert_same(graph, payoffs, tiebreak, tolerance=tolerance)


@settings(max_examples=30, deadline=None)
@given(game=layers(), seed=st.integers(0, 10**6))
def test_any_game_as_the_exact_solver_where_options_tie(game: Layers, seed: int) -> None:
    graph = compile_turn(game)
    (payoff,) = payoffs_for(graph, 1, seed, steps=True)
    exact = solve_exact(graph, [Fraction(p) for p in payoff.tolist()])
    nothing = np.zeros_like(payoff)  # so the canonical order decides, as it does there
    value, chances = solve_roots(prepare(graph), payoff[None], tiebreak=nothing)
    expected = [float(c) for c in exact_distribution(graph, exact.chosen, graph.root)]
    assert value[0] == pytest.approx(float(exact.value(graph.root)), rel=0, abs=CLOSE)
    np.testing.assert_allclose(chances[0], expected, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("parents", range(1, 10))
@pytest.mark.parametrize("siblings", [4, 5, 7, 12])
def test_siblings_reach_every_parent(parents: int, siblings: int) -> None:
    for options in (2, 3, 5):
        graph = compile_turn(crowd(parents, siblings, options))
        assert_same(graph, payoffs_for(graph, 9, parents), points_of(graph))


def test_crowds_are_laid_out_as_siblings() -> None:
    graph = compile_turn(crowd(6, 12, 3))
    prepared = prepare(graph)
    assert ((prepared.slot < 0) & (graph.kind == DECISION)).any()
    assert (prepared.blocks[:, layout.FOURS] > 0).any()


@pytest.mark.parametrize("batch", [0, 1, LANES - 1, LANES, LANES + 1, 3 * LANES + 5])
def test_results_are_the_same_bits_in_any_company(martian: TurnGraph, batch: int) -> None:
    prepared = prepare(martian)
    points = points_of(martian)
    many = race_like(martian, 40)
    all_values, all_chances = solve_roots(prepared, many, tiebreak=points)
    value, chances = solve_roots(prepared, many[:batch], tiebreak=points)
    assert value.tobytes() == all_values[:batch].tobytes()
    assert chances.tobytes() == all_chances[:batch].tobytes()


def test_results_are_the_same_bits_with_any_number_of_workers(martian: TurnGraph) -> None:
    prepared = prepare(martian)
    points = points_of(martian)
    payoffs = race_like(martian, 131)
    bust = (martian.points == 0).astype(np.float64)
    alone = solve_roots(prepared, payoffs, tiebreak=points)
    nodes = solve_nodes(prepared, payoffs, tiebreak=points, evaluate=bust)
    for workers in (2, 3):
        shared = solve_roots(prepared, payoffs, tiebreak=points, workers=workers)
        again = solve_nodes(prepared, payoffs, tiebreak=points, evaluate=bust, workers=workers)
        for one, other in zip((*alone, *nodes), (*shared, *again), strict=True):
            assert one.tobytes() == other.tobytes()


BITS = """
import hashlib
import numpy as np
from solver.games.martian_dice import MartianDice
from solver.turn import compile_turn
from solver.turn.fast import prepare, solve_roots

graph = compile_turn(MartianDice())
payoffs = np.random.default_rng(5).random((20, len(graph.outcomes)))
results = solve_roots(prepare(graph), payoffs, tiebreak=graph.points.astype(float))
print(hashlib.sha256(b"".join(r.tobytes() for r in results)).hexdigest())
"""


@pytest.mark.slow
def test_results_are_the_same_bits_on_a_machine_without_wide_registers(tmp_path: Path) -> None:
    bits = set()
    for target in ({}, {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}):
        environment = {**os.environ, **target, "NUMBA_CACHE_DIR": str(tmp_path)}
        bits.add(subprocess.check_output([sys.executable, "-c", BITS], env=environment))
    assert len(bits) == 1


def test_equally_good_options_follow_points_then_canonical_order() -> None:
    """Stopping with 1, 2 or 3 points is worth the same: 3 is most points, 2 comes first."""
    stop, less = (2, 1, 3), (0, 1)
    nodes = (Bank(0), Bank(1), Bank(2), Bank(3), stop, less, ((1, 4), (1, 5)))
    graph = compile_turn(Layers(nodes, (6,)))
    prepared = prepare(graph)
    payoffs = np.array([[0.0, 1.0, 1.0, 1.0]])
    _, most = solve_roots(prepared, payoffs, tiebreak=points_of(graph))
    _, first = solve_roots(prepared, payoffs, tiebreak=np.zeros(4))
    assert most.tolist() == [[0.0, 0.5, 0.0, 0.5]]
    assert first.tolist() == [[0.0, 0.5, 0.5, 0.0]]


def test_a_turn_without_any_choice_or_roll_is_its_outcome() -> None:
    graph = compile_turn(Layers((Bank(3),), (0,)))
    value, chances = solve_roots(prepare(graph), np.array([[0.25]]), tiebreak=np.zeros(1))
    assert (value.tolist(), chances.tolist()) == ([0.25], [[1.0]])


def test_a_chance_can_be_the_root(martian: TurnGraph) -> None:
    prepared = prepare(martian)
    points = points_of(martian)
    payoffs = race_like(martian, 10)
    bust = (martian.points == 0).astype(np.float64)
    value, chance = solve_nodes(prepared, payoffs, tiebreak=points, evaluate=bust)
    for i in (0, 100, 400):
        root = int(prepared.chance_nodes[i])
        best, outcomes = solve_roots(prepared, payoffs, tiebreak=points, root=root)
        assert best.tobytes() == value[:, i].tobytes()
        np.testing.assert_allclose(outcomes @ bust, chance[:, i], rtol=0, atol=CLOSE)


def test_what_does_not_fit_is_refused(martian: TurnGraph) -> None:
    prepared = prepare(martian)
    points = points_of(martian)
    with pytest.raises(UsageError, match="shape"):
        solve_roots(prepared, points, tiebreak=points)
    with pytest.raises(UsageError, match="shape"):
        solve_roots(prepared, points[None], tiebreak=points[1:])
    with pytest.raises(UsageError, match="finite"):
        solve_roots(prepared, np.where(points > 3, np.nan, points)[None], tiebreak=points)
    with pytest.raises(UsageError, match="tolerance"):
        solve_roots(prepared, points[None], tiebreak=points, tolerance=-1.0)
    sibling = int(np.flatnonzero(prepared.slot < 0)[0])
    with pytest.raises(UsageError, match="neither a root nor a chance"):
        solve_roots(prepared, points[None], tiebreak=points, root=sibling)


def test_compiled_code_is_not_older_than_its_source() -> None:
    """Numba's cache is keyed by one file; that file names the others it was compiled with."""
    folder = Path(passes.__file__).parent
    sources = [folder / f"{name}.py" for name in ("blocks", "lanes", "layout")]
    text = "".join(source.read_text(encoding="utf-8") for source in sources)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    assert digest == passes.COMPILED_WITH, f'set COMPILED_WITH = "{digest}" in passes.py'


def test_numba_is_imported_with_the_kernel_only() -> None:
    code = "import sys, solver, solver.turn; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
