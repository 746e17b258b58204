// A turn as a graph: compiled from the rules once, solved for any payoff in a few milliseconds.
//
// Rules are two names, start and expand. A state is an array of a name and numbers; `expand` says
// what happens there: {bank: outcome}, {choose: Map of action -> state, in canonical order}, or
// {roll: [[weight, state], ...]}. Equal parts are one node; children come before parents.

/** @typedef {(string|number|number[])[]} State */
/**
 * @typedef {{bank: any}|{choose: Map<string, State>}|{roll: [number, State][]}} Expansion
 */
/**
 * @typedef {object} TurnGame
 * @property {() => State[]} starts Where turns begin.
 * @property {(state: State) => Expansion} expand
 * @property {(outcome: any) => number} points
 */
/**
 * @typedef {object} TurnGraph
 * @property {any[]} outcomes
 * @property {number[]} points Of each outcome; outcome i is node i of `outcomeNodes`.
 * @property {Int32Array} kind 0 outcome, 1 decision, 2 chance.
 * @property {Int32Array} first Where each node's edges begin.
 * @property {Int32Array} child
 * @property {Float64Array} weight Integers, in lowest terms, of a chance's edges; 1 elsewhere.
 * @property {Float64Array} probability
 * @property {Map<string, number>} nodeOf Key of a state -> its node.
 * @property {Int32Array} outcomeOf Outcome of each node of kind 0.
 */
/**
 * @typedef {object} TurnValues
 * @property {Float64Array} value Of each node.
 * @property {Int32Array} chosen The child that each decision picks, -1 elsewhere.
 */

/** Values closer than this are equal, for payoffs of at most one. */
export const TIE = 1e-13;

/** Milliseconds of compiling after which taps are let in. */
const SLICE = 8;

const OUTCOME = 0;
const DECISION = 1;
const CHANCE = 2;

/** @param {State} state */
export function keyOf(state) {
  return JSON.stringify(state);
}

/** Let taps and drawing in. Without the 4 ms that browsers add to nested timers, where that can be had. */
export function breathe() {
  const scheduler = /** @type {any} */ (globalThis).scheduler;
  return scheduler?.yield ? scheduler.yield() : new Promise((resume) => { setTimeout(resume); });
}

/** @param {number} a @param {number} b */
function gcd(a, b) {
  let [x, y] = [a, b];
  while (y) [x, y] = [y, x % y];
  return x;
}

/**
 * Compile the turn of a game.
 * @param {TurnGame} game
 * @returns {TurnGraph}
 */
export function compileTurn(game) {
  const steps = compiling(game);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Compile the turn of a game in slices between which the page answers taps.
 * @param {TurnGame} game
 * @returns {Promise<TurnGraph>}
 */
export async function compileInSlices(game) {
  const steps = compiling(game);
  let count = 0;
  let since = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    count += 1;
    if (count % 64 === 0 && performance.now() - since > SLICE) {
      await breathe();
      since = performance.now();
    }
  }
}

/**
 * @param {TurnGame} game
 * @returns {Generator<void, TurnGraph>}
 */
function* compiling(game) {
  /** @type {Map<string, number>} */
  const nodeOf = new Map();
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {any[]} */
  const outcomes = [];
  /** @type {number[]} */
  const kind = [];
  /** @type {number[]} */
  const first = [0];
  /** @type {number[]} */
  const child = [];
  /** @type {number[]} */
  const weight = [];
  /** @type {number[]} */
  const probability = [];
  /** @type {number[]} */
  const outcomeOf = [];

  /** @param {string} key @param {number} what @param {number[]} to @param {number[]} weights */
  function intern(key, what, to, weights) {
    const found = known.get(key);
    if (found !== undefined) return found;
    const node = kind.length;
    known.set(key, node);
    kind.push(what);
    outcomeOf.push(what === OUTCOME ? outcomes.length - 1 : -1);
    const total = what === CHANCE ? weights.reduce((x, y) => x + y) : 1;
    for (let i = 0; i < to.length; i += 1) {
      child.push(to[i]);
      weight.push(weights[i]);
      probability.push(weights[i] / total);
    }
    first.push(child.length);
    return node;
  }

  /** @param {Expansion} what @param {string[]} keys Of the states below. */
  function nodeFor(what, keys) {
    if ("bank" in what) {
      const key = `o${JSON.stringify(what.bank)}`;
      if (!known.has(key)) outcomes.push(what.bank);
      return intern(key, OUTCOME, [], []);
    }
    const below = keys.map((key) => /** @type {number} */ (nodeOf.get(key)));
    if ("choose" in what) {
      const to = [...new Set(below)];
      if (to.length === 1) return to[0];
      return intern(`d${to}`, DECISION, to, to.map(() => 1));
    }
    /** @type {Map<number, number>} */
    const merged = new Map();
    below.forEach((node, i) => merged.set(node, (merged.get(node) ?? 0) + what.roll[i][0]));
    if (merged.size === 1) return below[0];
    const to = Array.from(merged.keys()).sort((x, y) => x - y);
    const weights = to.map((node) => /** @type {number} */ (merged.get(node)));
    const common = weights.reduce(gcd);
    const lowest = weights.map((w) => w / common);
    return intern(`c${to}:${lowest}`, CHANCE, to, lowest);
  }

  /** @type {{key: string, what: Expansion, below: State[], keys: string[], at: number}[]} */
  const open = [];
  /** @param {State} state @param {string} key */
  function visit(state, key) {
    if (nodeOf.has(key)) return;
    const what = game.expand(state);
    const below = "choose" in what ? [...what.choose.values()]
      : "roll" in what ? what.roll.map(([, after]) => after) : [];
    open.push({ key, what, below, keys: below.map(keyOf), at: 0 });
  }
  for (const start of game.starts()) {
    visit(start, keyOf(start));
    while (open.length) {
      const top = open[open.length - 1];
      if (top.at < top.below.length) {
        visit(top.below[top.at], top.keys[top.at]);
        top.at += 1;
      } else {
        nodeOf.set(top.key, nodeFor(top.what, top.keys));
        open.pop();
        yield;
      }
    }
  }
  return {
    outcomes,
    points: outcomes.map((outcome) => game.points(outcome)),
    kind: Int32Array.from(kind),
    first: Int32Array.from(first),
    child: Int32Array.from(child),
    weight: Float64Array.from(weight),
    probability: Float64Array.from(probability),
    nodeOf,
    outcomeOf: Int32Array.from(outcomeOf),
  };
}

/**
 * Best values and choices for a payoff. Options whose values differ by no more than the tolerance
 * are equal; among those the most expected tiebreak within the same tolerance; among those the
 * first in canonical order.
 * @param {TurnGraph} graph
 * @param {ArrayLike<number>} payoffs One for each outcome.
 * @param {ArrayLike<number>|null} [tiebreak] One for each outcome, usually points.
 * @param {number} [tolerance]
 * @returns {TurnValues}
 */
export function solveTurn(graph, payoffs, tiebreak = null, tolerance = TIE) {
  const nodes = graph.kind.length;
  const value = new Float64Array(nodes);
  const second = new Float64Array(tiebreak ? nodes : 0);
  const chosen = new Int32Array(nodes).fill(-1);
  const { kind, first, child, probability, outcomeOf } = graph;
  for (let node = 0; node < nodes; node += 1) {
    const low = first[node];
    const high = first[node + 1];
    if (kind[node] === OUTCOME) {
      value[node] = payoffs[outcomeOf[node]];
      if (tiebreak) second[node] = tiebreak[outcomeOf[node]];
    } else if (kind[node] === CHANCE) {
      let sum = 0;
      let other = 0;
      for (let i = low; i < high; i += 1) {
        sum += probability[i] * value[child[i]];
        if (tiebreak) other += probability[i] * second[child[i]];
      }
      value[node] = sum;
      if (tiebreak) second[node] = other;
    } else {
      let best = -Infinity;
      for (let i = low; i < high; i += 1) best = Math.max(best, value[child[i]]);
      let most = -Infinity;
      if (tiebreak) {
        for (let i = low; i < high; i += 1) {
          if (value[child[i]] >= best - tolerance) most = Math.max(most, second[child[i]]);
        }
      }
      for (let i = low; i < high; i += 1) {
        const c = child[i];
        if (value[c] >= best - tolerance && (!tiebreak || second[c] >= most - tolerance)) {
          chosen[node] = c;
          value[node] = value[c];
          if (tiebreak) second[node] = second[c];
          break;
        }
      }
    }
  }
  return { value, chosen };
}

/**
 * The value of every node under given choices.
 * @param {TurnGraph} graph
 * @param {ArrayLike<number>} payoffs One for each outcome.
 * @param {Int32Array} chosen The child that each decision picks.
 */
export function evaluateTurn(graph, payoffs, chosen) {
  const value = new Float64Array(graph.kind.length);
  const { kind, first, child, probability, outcomeOf } = graph;
  for (let node = 0; node < value.length; node += 1) {
    if (kind[node] === OUTCOME) value[node] = payoffs[outcomeOf[node]];
    else if (kind[node] === DECISION) value[node] = value[chosen[node]];
    else {
      let sum = 0;
      for (let i = first[node]; i < first[node + 1]; i += 1) sum += probability[i] * value[child[i]];
      value[node] = sum;
    }
  }
  return value;
}

/**
 * A bound on the error of the value at any node, for payoffs of at most one: rounding, and the
 * tolerance that each decision on the way may give away.
 * @param {TurnGraph} graph
 */
export function errorBound(graph) {
  const cost = new Float64Array(graph.kind.length);
  const { kind, first, child, probability } = graph;
  let most = 0;
  for (let node = 0; node < cost.length; node += 1) {
    const low = first[node];
    const high = first[node + 1];
    let sum = 0;
    for (let i = low; i < high; i += 1) {
      if (kind[node] === DECISION) sum = Math.max(sum, cost[child[i]]);
      else sum += probability[i] * cost[child[i]];
    }
    if (kind[node] === DECISION) sum += TIE;
    if (kind[node] === CHANCE) sum += (high - low + 1) * 2 ** -53;
    cost[node] = sum;
    most = Math.max(most, sum);
  }
  return most * 1.01;
}
