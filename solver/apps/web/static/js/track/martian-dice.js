// Martian Dice, tracked: dice set aside and rolled, everybody's score, whose turn it is.

import { ACTION_OF, FACES, howMany, MartianDice, noDice, readCounts, writeCounts } from "../rules/martian-dice.js";
import { PositionError } from "../rules/position.js";
import { newPlayers, withPlayer } from "./game.js";

/** @typedef {import("./game.js").Track} Track */
/** @typedef {import("../rules/martian-dice.js").Counts} Counts */
/** @typedef {import("../rules/martian-dice.js").Face} Face */
/** @typedef {{aside: Counts, roll: Counts|null, correcting?: boolean}} Turn */

const NAMES = { T: "tank", R: "death ray", H: "human", C: "cow", K: "chicken" };
const FACE_OF = Object.fromEntries(Object.entries(ACTION_OF).map(([face, action]) => [action, face]));

/** @param {Track["rules"]} rules */
function rulesOf(rules) {
  return new MartianDice(rules);
}

/** @returns {Turn} */
function newTurn() {
  return { aside: noDice(), roll: noDice() };
}

/** @param {Track} track @returns {Turn} */
function turnOf(track) {
  return track.turn;
}

/** Dice not set aside. @param {Track} track */
function left(track) {
  return rulesOf(track.rules).dice - howMany(turnOf(track).aside);
}

/** @param {Track} track @param {number} points @returns {Track} */
function endTurn(track, points) {
  const { race } = rulesOf(track.rules);
  const players = withPlayer(track.players, track.seat, {
    score: track.players[track.seat].score + points,
    last: points,
  });
  const lastSeat = track.seat === players.length - 1;
  const reached = players.some((player) => player.score >= race.target);
  const over = reached && (lastSeat || race.end === "immediate");
  return {
    ...track,
    players,
    seat: over ? track.seat : (track.seat + 1) % players.length,
    round: track.round + Number(lastSeat && !over),
    over,
    turn: newTurn(),
  };
}

/** @type {import("./game.js").TrackedGame} */
export const martianDice = {
  name: "martian-dice",
  title: "Martian Dice",
  short: "Martian Dice",
  about: "Abduct humans, cows and chickens; keep the tanks at bay.",
  seats: [1, 2, 3, 4],
  readings: [
    {
      name: "end",
      label: "When somebody reaches the target",
      options: [
        ["round", "the round is completed, then the most points win"],
        ["immediate", "the first to reach it wins at once"],
      ],
    },
    {
      name: "tie",
      label: "Several leaders at the end",
      options: [["duel", "a duel: six dice each, most death rays"], ["shared", "they share the win"]],
    },
    {
      name: "target",
      label: "Points that trigger the end",
      options: [[25, "25, as in the rulebook"], [15, "15"], [40, "40"], [50, "50"]],
    },
    {
      name: "bonus",
      label: "Bonus for all three species",
      options: [[3, "3, as in the rulebook"], [0, "none"], [5, "5"]],
    },
  ],
  aims: (n) => (n > 1 ? ["win", "points"] : ["points"]),
  rulesOf,
  asked: (track) => rulesOf(track.rules),

  create({ rules, names, aim }) {
    const players = newPlayers(names);
    return { game: "martian-dice", rules, aim, players, seat: 0, round: 1, over: false, turn: newTurn() };
  },

  pad(track) {
    const { aside, roll, correcting } = turnOf(track);
    if (track.over || (!correcting && !roll)) return null;
    const faces = FACES.map((id) => ({ id, name: NAMES[id], short: id === "R" ? "ray" : NAMES[id], key: id.toLowerCase() }));
    if (correcting) {
      const most = rulesOf(track.rules).dice;
      const dice = howMany(aside);
      return { faces, counts: aside, missing: most - dice, of: most, ask: "Tap what is set aside" };
    }
    const counts = /** @type {Counts} */ (roll);
    const of = left(track);
    const missing = of - howMany(counts);
    return { faces, counts, missing, of, ask: of === rulesOf(track.rules).dice ? "Roll all dice and tap them" : "Roll and tap what you see" };
  },

  tap(track, face, by) {
    const turn = turnOf(track);
    const which = turn.correcting ? "aside" : "roll";
    const counts = turn[which];
    const pad = martianDice.pad(track);
    if (!counts || !pad || (by > 0 && !pad.missing)) return track;
    const count = counts[/** @type {Face} */ (face)] + by;
    if (count < 0) return track;
    return { ...track, turn: { ...turn, [which]: { ...counts, [face]: count } } };
  },

  position(track) {
    const { aside, roll, correcting } = turnOf(track);
    if (track.over || correcting || (roll && howMany(roll) < left(track))) return null;
    return { game: rulesOf(track.rules), told: { aside, roll } };
  },

  apply(track, action) {
    const { aside, roll } = turnOf(track);
    const { options } = rulesOf(track.rules).position({ aside, roll });
    const after = options.get(action);
    if (!after) return track;
    if (after[0] === "bank") return endTurn(track, Number(after[1]));
    if (after[0] === "roll") return { ...track, turn: { aside, roll: noDice() } };
    const face = /** @type {Face} */ (FACE_OF[action]);
    const rolled = /** @type {Counts} */ (roll);
    const taken = { ...aside, T: aside.T + rolled.T };
    taken[face] += rolled[face];
    return { ...track, turn: { aside: taken, roll: null } };
  },

  write(track) {
    const { aside, roll } = turnOf(track);
    /** @type {Record<string, string>} */
    const told = {};
    if (howMany(aside)) told.aside = writeCounts(aside);
    if (roll && (howMany(roll) || howMany(aside))) told.roll = writeCounts(roll);
    return told;
  },

  read(track, told) {
    const aside = readCounts(told.get("aside") ?? "");
    const rolled = told.get("roll");
    const roll = rolled === null ? null : readCounts(rolled);
    const turn = { aside, roll: roll ?? (howMany(aside) ? null : noDice()) };
    const entering = turn.roll && howMany(turn.roll) < rulesOf(track.rules).dice - howMany(aside);
    rulesOf(track.rules).position(entering ? { aside } : turn); // throws if it cannot be
    checkScores(track);
    return { ...track, turn };
  },
};

/** Refuse scores with which the match would be over. @param {Track} track */
function checkScores({ rules, players, seat, over }) {
  const { target, end } = rulesOf(rules).race;
  const done = players.findIndex((player, i) => player.score >= target && (end === "immediate" || i >= seat));
  if (done >= 0 && !over) {
    throw new PositionError(`the match is over, or seat ${done + 1} has not played yet: it has ${players[done].score} of ${target} points before its turn in this round`);
  }
}

/** What the dice set aside would bring now, and what they lack. @param {Track} track */
export function asideSummary(track) {
  const { aside } = turnOf(track);
  const game = rulesOf(track.rules);
  const kinds = [aside.H, aside.C, aside.K].filter(Boolean).length;
  return {
    aside,
    points: game.score(aside.T, aside.R, aside.H + aside.C + aside.K, kinds),
    heads: aside.H + aside.C + aside.K,
    short: Math.max(0, aside.T - aside.R),
    left: left(track),
  };
}

/** The same turn with the dice set aside open for correction, or closed again. @param {Track} track @param {boolean} open @returns {Track} */
export function correctAside(track, open) {
  const { aside, roll } = turnOf(track);
  if (open) return { ...track, turn: { aside, roll, correcting: true } };
  return { ...track, turn: { aside, roll: noDice() } };
}
