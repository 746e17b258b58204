// Should I roll? From a position to an answer: the same one that Python's `advise` gives.

import { compare, minus, rounded, written } from "../core/fractions.js";
import { compileInSlices, compileTurn, errorBound, keyOf, solveTurn, TIE } from "../core/turn.js";
import { STAGES } from "../rules/alien-crew.js";
import { PositionError } from "../rules/position.js";
import { reason } from "./explain.js";
import { isBoundary, RaceValues } from "./race.js";
import { RoundsSolver } from "./rounds.js";
import { ExactTurn, isPolicy, PolicyTable, SolvedValues, STEP, TableValues } from "./values.js";

/** @typedef {"points"|"probability"|"win_probability"|"payoff"|"kills"} Unit */
/** @typedef {import("./values.js").Game} Game */
/** @typedef {import("./values.js").StateValues} StateValues */
/** @typedef {import("../core/turn.js").TurnGraph} TurnGraph */
/** @typedef {import("../core/tables.js").Table} Table */
/**
 * @typedef {object} Option
 * @property {string} action
 * @property {string|null} then What best play does next, before any dice are rolled.
 * @property {number} value
 * @property {string|null} exact
 * @property {number} loss
 * @property {number} bust
 * @property {boolean} best
 * @property {number[]|null} win_probability
 * @property {number|null} mix
 */
/** @typedef {{kind: string, error: number|null, bust_error: number}} Exactness */
/**
 * @typedef {object} Advice
 * @property {string} game
 * @property {Record<string, string|number>} rules
 * @property {string} objective
 * @property {Unit} unit
 * @property {Record<string, any>} position
 * @property {Exactness} exactness
 * @property {string|null} table
 * @property {string|null} graph
 * @property {Option[]} options
 * @property {string|null} note
 * @property {string} why
 * @property {string} bust_means What the bust chance is the chance of, as the beginning of a sentence.
 * @property {string|null} assumption What the numbers assume that the rules do not say.
 */
/**
 * What is asked.
 * @typedef {object} Asked
 * @property {Game & {race?: {target: number, end: string}, match?: import("./rounds.js").Match}} game
 * @property {any} told The position's fields.
 * @property {string} objective
 * @property {number[]|null} [scores]
 * @property {number} [seat] From 1.
 * @property {number} [round] From 1, in a match of rounds.
 * @property {number[]} [stages] Every seat's stage, in a match of rounds.
 * @property {Death|null} [death] The death round that is on, in a match of rounds.
 */
/** Seats from 0, their stages before it, and what those who have played have shown. @typedef {{seats: number[], stages: number[], points: number[]}} Death */
/** @typedef {{objective: string, unit: Unit, exactness: Exactness, table: string|null, graph: string|null, where: Record<string, any>}} Answered */

const EXACT = { kind: "exact", error: 0, bust_error: 0 };

/** There is no table for the rules that are asked about. */
export class NoTable extends Error {}

/** Answers questions from the same tables; what it has looked up it remembers. */
export class Advisor {
  /** @param {import("../core/tables.js").Tables} tables */
  constructor(tables) {
    this.tables = tables;
    /** @type {Map<string, TurnGraph>} */
    this.graphs = new Map();
    /** @type {Map<string, Promise<TurnGraph>>} */
    this.compiling = new Map();
    /** @type {Map<string, PolicyTable>} */
    this.policies = new Map();
    /** @type {Map<string, ExactTurn>} */
    this.exacts = new Map();
    /** @type {Promise<void>} */
    this.working = Promise.resolve();
    /** @type {Map<string, RoundsSolver>} */
    this.rounds = new Map();
    /** @type {Map<string, RaceValues>} */
    this.races = new Map();
  }

  /** The table of a question, or null. @param {Asked} asked */
  table({ game, objective, scores }) {
    return this.tables.find(game, objective, objective === "win" ? (scores ?? []).length : 0);
  }

  /** The files without which a question cannot be answered. @param {Asked} asked */
  needs(asked) {
    const table = this.table(asked);
    if (!table) return [];
    return table.labels(table.entry.kind === "turn" ? isPolicy : isBoundary);
  }

  /** Whether a question can be answered at once. @param {Asked} asked */
  ready(asked) {
    const table = this.table(asked);
    if (table && !table.has(this.needs(asked))) return false;
    if (isRounds(asked)) return this.graphs.has(graphKey(asked.game)) && (Boolean(asked.death) || this.match(asked).ready(standing(asked)));
    return this.isLookedUp(table) || this.graphs.has(graphKey(asked.game));
  }

  /** Whether a table answers without a solver, now. @param {Table|null} table */
  isLookedUp(table) {
    return table !== null && table.entry.tags.length > 0 && table.has(table.labels(isPolicy));
  }

  /**
   * Fetch what a question needs, and compile the turn if it has to be solved.
   * @param {Asked} asked @param {import("../core/tables.js").Progress} [progress]
   */
  async prepare(asked, progress) {
    const table = this.table(asked);
    if (table?.entry.kind !== "turn" && !this.isLookedUp(table)) this.compile(asked.game);
    if (table) await table.load(this.needs(asked), progress);
    if (this.isLookedUp(table)) return;
    await this.compile(asked.game);
    if (asked.objective !== "win" && !table) this.exact(asked.game, asked.objective);
    if (!isRounds(asked) || asked.death) return;
    const match = this.match(asked);
    const state = standing(asked);
    this.working = this.working.catch(() => undefined).then(() => (match.ready(state) ? undefined : match.solve(state)));
    await this.working; // one at a time: what one finds, the next need not
  }

  /** Compile a turn, once. @param {Game} game */
  compile(game) {
    const key = graphKey(game);
    let coming = this.compiling.get(key);
    if (!coming) {
      coming = compileInSlices(game);
      this.compiling.set(key, coming);
      coming.then((graph) => this.graphs.set(key, graph));
    }
    return coming;
  }

  /**
   * The files that are not needed, but answer without a solver once they are here.
   * @param {Asked} asked
   */
  policyFiles(asked) {
    const table = this.table(asked);
    return table && table.entry.tags.length ? table.labels(isPolicy) : [];
  }

  /**
   * Every legal option, best first.
   * @param {Asked} asked
   * @returns {Advice}
   */
  advise(asked) {
    const { game, told, objective, scores } = asked;
    const position = game.position(told);
    const table = this.table(asked);
    if (isRounds(asked)) return this.forRounds(asked, position);
    if (objective === "win") {
      if (!table || !scores || asked.seat === undefined) {
        throw new NoTable(`there is no table here for ${(scores ?? []).length} seats under these rules`);
      }
      return this.forWin(asked, position, table);
    }
    const source = { table: table && table.name, graph: table && table.entry.graph };
    return assemble(game, position, this.turnValues(asked), { objective, unit: unitOf(objective), exactness: EXACT, ...source, where: {} });
  }

  /** What the states of a turn are worth, if it is looked at alone. @param {Asked} asked @returns {StateValues} */
  turnValues(asked) {
    const { game, objective } = asked;
    const table = this.table(asked);
    if (!table) return this.exact(game, objective);
    return new TableValues(this.policy(table, game), 0, payoffOf(game, objective), null);
  }

  /** @param {Game} game */
  graph(game) {
    const key = graphKey(game);
    let graph = this.graphs.get(key);
    if (!graph) this.graphs.set(key, (graph = compileTurn(game)));
    return graph;
  }

  /** @param {Table} table @param {Game} game */
  policy(table, game) {
    let policy = this.policies.get(table.name);
    if (!policy) this.policies.set(table.name, (policy = new PolicyTable(table, game)));
    return policy;
  }

  /** A turn without a table, solved. @param {Game} game @param {string} objective */
  exact(game, objective) {
    const key = JSON.stringify([objective, graphKey(game)]);
    let turn = this.exacts.get(key);
    if (!turn) {
      turn = new ExactTurn(game, this.graph(game), payoffOf(game, objective));
      this.exacts.set(key, turn);
    }
    return turn;
  }

  /** The match of rounds that is asked about. @param {Asked} asked */
  match({ game }) {
    const key = JSON.stringify([graphKey(game), game.match]);
    let match = this.rounds.get(key);
    if (!match) {
      const graph = this.graph(game);
      const roots = game.starts().map((start) => /** @type {number} */ (graph.nodeOf.get(keyOf(start))));
      match = new RoundsSolver(graph, roots, /** @type {import("./rounds.js").Match} */ (game.match));
      this.rounds.set(key, match);
    }
    return match;
  }

  /** @param {Asked} asked @param {import("../rules/position.js").Position} position */
  forRounds(asked, position) {
    const { game } = asked;
    const state = standing(asked);
    const { seat, scores } = state;
    const kind = scores.length > 2 ? "equilibrium" : "bounded";
    return assemble(game, position, this.roundsValues(asked), {
      objective: "win",
      unit: "win_probability",
      exactness: { kind, error: null, bust_error: errorBound(this.graph(game)) },
      table: null,
      graph: null,
      where: { scores, stages: state.stages.map((stage) => STAGES[stage]), round: state.round + 1, seat: seat + 1 },
    });
  }

  /** What the states of a turn are worth in a match of rounds. @param {Asked} asked */
  roundsValues(asked) {
    const { game, death } = asked;
    const state = standing(asked);
    const { seat, scores } = state;
    const match = this.match(asked);
    const graph = this.graph(game);
    let ahead = death ? [] : match.chances(state);
    if (death) {
      const stages = death.points.map((_, i) => state.stages[death.seats[i]]);
      ahead = match.death.ahead(death.stages, death.points, stages).map((shares) => scores.map((_, i) => {
        const at = death.seats.indexOf(i);
        return at < 0 ? 0 : shares[at];
      }));
    }
    const turn = solveTurn(graph, ahead.map((chances) => chances[seat]), graph.points);
    return new SolvedValues(game, graph, turn, ahead);
  }

  /**
   * @param {Asked} asked @param {import("../rules/position.js").Position} position
   * @param {Table} table
   */
  forWin(asked, position, table) {
    const { game, scores, seat } = asked;
    const answered = { objective: "win", unit: /** @type {Unit} */ ("win_probability"), table: table.name, graph: table.entry.graph, where: { scores, seat } };
    const { error, exactness: kind, bust_error } = table.entry;
    const values = this.raceValues(asked);
    if (this.isLookedUp(table)) return assemble(game, position, values, { ...answered, exactness: { kind: "bounded", error, bust_error } });
    const rounding = errorBound(this.graph(game));
    return assemble(game, position, values, { ...answered, exactness: { kind, error: error + rounding, bust_error: rounding } });
  }

  /** What the states of a turn are worth in a score race; its table is here. @param {Asked} asked */
  raceValues(asked) {
    const { game, scores, seat } = asked;
    const table = /** @type {Table} */ (this.table(asked));
    const at = /** @type {number[]} */ (scores);
    const mover = /** @type {number} */ (seat) - 1;
    let race = this.races.get(table.name);
    if (!race) {
      race = new RaceValues(table, /** @type {{target: number, end: string}} */ (game.race));
      this.races.set(table.name, race);
    }
    race.check(at, mover);
    const after = race.after(at, mover);
    if (!this.isLookedUp(table)) return solvedForWin(game, this.graph(game), race, at, mover, after);
    const own = new Map(race.points.map((points, i) => [points, after[i][mover]]));
    const payoff = (/** @type {any} */ outcome) => /** @type {number} */ (own.get(game.points(outcome)));
    return new TableValues(this.policy(table, game), race.row(at, mover), payoff, mover);
  }
}

/** Whether a match of rounds is asked about. @param {Asked} asked */
function isRounds({ game, objective }) {
  return objective === "win" && game.match !== undefined;
}

/** @param {Asked} asked @returns {import("./rounds.js").State} */
function standing({ scores, seat, round, stages }) {
  if (!scores || !stages || !seat || !round) throw new PositionError("scores, stages, seat and round are needed");
  return { round: round - 1, seat: seat - 1, scores, stages };
}

/** @param {Game} game */
function graphKey(game) {
  return JSON.stringify([game.name, game.turnRules]);
}

/**
 * The turn of a seat, solved from the race's values.
 * @param {Game} game @param {TurnGraph} graph @param {RaceValues} race
 * @param {number[]} scores @param {number} mover @param {number[][]} after
 */
function solvedForWin(game, graph, race, scores, mover, after) {
  const byPoints = new Map(race.points.map((points, i) => [points, after[i]]));
  const ahead = graph.points.map((points) => /** @type {number[]} */ (byPoints.get(points)));
  const own = ahead.map((chances) => chances[mover]);
  const turn = solveTurn(graph, own, graph.points);
  const mix = race.mixes.get([...scores, mover].join());
  if (!mix) return new SolvedValues(game, graph, turn, ahead);
  const [above, below] = [STEP, -STEP].map((step) => {
    const payoffs = own.map((value, i) => (graph.points[i] ? value : mix.breakpoint + step));
    return solveTurn(graph, payoffs, graph.points);
  });
  return new SolvedValues(game, graph, turn, ahead, { share: mix.share, above, below });
}

/** @param {Game} game @param {string} objective @returns {(outcome: any) => number} */
function payoffOf(game, objective) {
  if (objective === "points" || objective === "kills") return (outcome) => game.points(outcome);
  if (objective === "survive") return (outcome) => Number(!game.bust?.(outcome));
  throw new PositionError(`this page knows no objective "${objective}"`);
}

/** @param {string} objective @returns {Unit} */
function unitOf(objective) {
  if (objective === "survive") return "probability";
  return objective === "kills" ? "kills" : "points";
}

/**
 * The options of a position, valued, compared and ordered.
 * @param {Game} game
 * @param {import("../rules/position.js").Position} position
 * @param {StateValues} values
 * @param {Answered} answered
 * @returns {Advice}
 */
function assemble(game, position, values, answered) {
  const worth = [...position.options].map(([action, state]) => ({ action, state, ...values.at(state) }));
  const best = Math.max(...worth.map((w) => w.value));
  let bestExact = worth[0].exact;
  for (const { exact } of worth) {
    if (exact && bestExact && compare(exact, bestExact) > 0) bestExact = exact;
  }
  const mix = values.mix(position);
  const options = worth.map(({ action, state, value, exact, bust }) => {
    let isBest = value >= best - TIE;
    let loss = isBest ? 0 : best - value;
    if (exact && bestExact) {
      isBest = compare(exact, bestExact) === 0;
      loss = rounded(minus(bestExact, exact));
    }
    return {
      action,
      then: values.choice(state),
      value,
      exact: exact && written(exact),
      loss,
      bust,
      best: isBest,
      win_probability: values.chances(state),
      mix: mix[action] ?? null,
    };
  });
  const first = rollsFirst(game, position, values);
  options.sort((a, b) => Number(b.best) - Number(a.best)
    || (a.best ? 0 : a.loss - b.loss)
    || Number(a.action !== first) - Number(b.action !== first));
  return {
    game: game.name,
    rules: game.rules,
    objective: answered.objective,
    unit: answered.unit,
    position: { ...position.shown, ...answered.where },
    exactness: answered.exactness,
    table: answered.table,
    graph: answered.graph,
    options,
    note: position.note,
    why: reason(options, answered.unit, position.note, game.bustMeans),
    bust_means: game.bustMeans,
    assumption: null,
  };
}

/**
 * The option that canonical play takes, where dice may be sent rolling at once; elsewhere ties are
 * listed in canonical order.
 * @param {Game} game
 * @param {import("../rules/position.js").Position} position
 * @param {StateValues} values
 */
function rollsFirst(game, position, values) {
  const rolls = [...position.options.values()].some((state) => "roll" in game.expand(state));
  return rolls ? values.choice(position.state) : null;
}
