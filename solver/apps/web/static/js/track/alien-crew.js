// Alien Battleship, Captain, First Mate and Crew, tracked: throws, stages, rounds, death rounds.

import { AlienCrew, lock, readDice, readStage, STAGES } from "../rules/alien-crew.js";
import { PositionError, wholeNumber } from "../rules/position.js";
import { leaders, newPlayers, withPlayer } from "./game.js";

/** @typedef {import("./game.js").Track} Track */
/** @typedef {import("../advisor/advise.js").Death} Death */
/**
 * @typedef {object} Turn
 * @property {number} stage Before the dice on the table were thrown.
 * @property {number} throws Left after the dice on the table.
 * @property {number[]} kept Crew dice that stay.
 * @property {number[]} roll Dice just thrown, as far as they are tapped.
 * @property {Death|null} death Who plays the death round, and what they have shown.
 */

/** @param {Track["rules"]} rules */
function rulesOf(rules) {
  return new AlienCrew(rules);
}

/** @param {Track} track @returns {Turn} */
function turnOf(track) {
  return track.turn;
}

/** @param {number} stage @param {AlienCrew} game @param {Turn["death"]} death @returns {Turn} */
function newTurn(stage, game, death) {
  return { stage, throws: game.throws - 1, kept: [], roll: [], death };
}

/** Dice in this throw. @param {Track} track */
function thrown(track) {
  const { stage, kept } = turnOf(track);
  return rulesOf(track.rules).dice - stage - kept.length;
}

/** @param {Track} track @param {number} points @param {number} stage @returns {Track} */
function endTurn(track, points, stage) {
  const game = rulesOf(track.rules);
  const { death } = turnOf(track);
  const kept = game.kept ? stage : 0;
  const score = track.players[track.seat].score + (death ? 0 : points);
  const players = withPlayer(track.players, track.seat, { score, last: points, stage: kept });
  if (death) return afterDeath({ ...track, players }, game, { ...death, points: [...death.points, points] });
  const lastSeat = track.seat === players.length - 1;
  const { rounds, target } = game.match;
  const reached = target !== null && players.some((player) => player.score >= target);
  if (lastSeat && (reached || track.round === rounds)) {
    const tied = leaders(players);
    if (tied.length > 1) return deathRound({ ...track, players }, game, tied);
    return { ...track, players, over: true };
  }
  const seat = (track.seat + 1) % players.length;
  const turn = newTurn(players[seat].stage ?? 0, game, null);
  return { ...track, players, seat, round: track.round + Number(lastSeat), turn };
}

/** @param {Track} track @param {AlienCrew} game @param {number[]} seats @returns {Track} */
function deathRound(track, game, seats) {
  const stages = seats.map((seat) => track.players[seat].stage ?? 0);
  const turn = newTurn(stages[0], game, { seats, stages, points: [] });
  return { ...track, seat: seats[0], turn };
}

/** @param {Track} track @param {AlienCrew} game @param {Death} death @returns {Track} */
function afterDeath(track, game, death) {
  const { seats, points } = death;
  if (points.length < seats.length) {
    const seat = seats[points.length];
    return { ...track, seat, turn: newTurn(track.players[seat].stage ?? 0, game, death) };
  }
  const best = Math.max(...points);
  const tied = seats.filter((_, i) => points[i] === best);
  if (tied.length > 1) return deathRound(track, game, tied);
  return { ...track, over: true, seat: tied[0], turn: { ...turnOf(track), death } };
}

/** @type {import("./game.js").TrackedGame} */
export const alienCrew = {
  name: "alien-crew",
  title: "Alien Battleship, Captain & Crew",
  short: "Alien Crew",
  about: "A six, a five, a four, then the biggest crew you can get.",
  seats: [1, 2, 3, 4, 5, 6],
  readings: [
    {
      name: "trio",
      label: "Part of the trio at the end of a turn",
      options: [["kept", "stays with its player"], ["reset", "is lost: every turn starts from five dice"]],
    },
    {
      name: "crew",
      label: "Crew dice that may be thrown again",
      options: [["either", "one or both"], ["both", "only both together"]],
    },
    {
      name: "end",
      label: "The match is over",
      options: [
        ["first", "after ten rounds, or the round in which somebody has 100"],
        ["rounds", "after ten rounds"],
        ["target", "after the round in which somebody has 100"],
      ],
    },
  ],
  aims: (n) => (n > 1 ? ["win", "points"] : ["points"]),
  rulesOf,
  asked: (track) => rulesOf(track.rules),

  create({ rules, names, aim }) {
    const players = newPlayers(names).map((player) => ({ ...player, stage: 0 }));
    const turn = newTurn(0, rulesOf(rules), null);
    return { game: "alien-crew", rules, aim, players, seat: 0, round: 1, over: false, turn };
  },

  pad(track) {
    if (track.over) return null;
    const { roll, kept, stage, throws } = turnOf(track);
    const counts = Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [n, roll.filter((d) => d === n).length]));
    const faces = [1, 2, 3, 4, 5, 6].map((n) => ({ id: String(n), name: String(n), key: String(n) }));
    const of = thrown(track);
    const first = throws === rulesOf(track.rules).throws - 1;
    const what = of === 1 ? "the die" : `${stage < 3 && first ? "the" : ""} ${of} dice`.trim();
    const ask = `Throw ${what} and tap ${of === 1 ? "it" : "them"}`;
    return { faces, counts, missing: of - roll.length, of, ask };
  },

  tap(track, face, by) {
    const turn = turnOf(track);
    const roll = turn.roll.slice();
    if (by > 0) {
      if (track.over || roll.length >= thrown(track)) return track;
      roll.push(Number(face));
    } else {
      const at = roll.lastIndexOf(Number(face));
      if (at < 0) return track;
      roll.splice(at, 1);
    }
    return { ...track, turn: { ...turn, roll } };
  },

  position(track) {
    const { stage, throws, kept, roll } = turnOf(track);
    if (track.over || roll.length < thrown(track)) return null;
    const game = rulesOf(track.rules);
    if (stage < 3) return { game, told: { stage, roll, throws } };
    return { game, told: { stage, crew: [...kept, ...roll], throws } };
  },

  apply(track, action) {
    const asked = alienCrew.position(track);
    if (!asked) return track;
    const position = asked.game.position(asked.told);
    const after = position.options.get(action);
    if (!after) return track;
    const turn = turnOf(track);
    if (after[0] === "bank") return endTurn(track, Number(after[1]), Number(after[2]));
    const throws = turn.throws - 1;
    if (after[0] === "throw") {
      const [stage] = lock(turn.stage, turn.roll);
      return { ...track, turn: { ...turn, stage, throws, kept: [], roll: [] } };
    }
    const kept = /** @type {number[]} */ (after.slice(2)).filter(Boolean);
    return { ...track, turn: { ...turn, stage: 3, throws, kept, roll: [] } };
  },

  write(track) {
    const { stage, throws, kept, roll, death } = turnOf(track);
    /** @type {Record<string, string>} */
    const told = { stage: STAGES[stage], throws: String(throws) };
    if (kept.length) told.kept = kept.join(" ");
    if (roll.length) told.roll = roll.join(" ");
    if (death) told.death = [death.seats.map((seat) => seat + 1).join("."), death.stages.join("."), ...death.points].join(" ");
    told.stages = track.players.map((player) => STAGES[player.stage ?? 0]).join(",");
    return told;
  },

  read(track, told) {
    const game = rulesOf(track.rules);
    const stages = (told.get("stages") ?? "").split(",").filter(Boolean).map(readStage);
    if (stages.length && stages.length !== track.players.length) {
      throw new PositionError(`${stages.length} stages for ${track.players.length} seats`);
    }
    const players = track.players.map((player, i) => ({ ...player, stage: stages[i] ?? (player.score ? 3 : 0) }));
    const crew = told.get("crew");
    const stage = told.has("stage") ? readStage(told.get("stage") ?? "") : crew === null ? players[track.seat].stage : 3;
    const throws = told.has("throws") ? wholeNumber(told.get("throws") ?? "", "throws", 0, game.throws - 1) : game.throws - 1;
    const kept = readDice(told.get("kept") ?? "");
    const roll = readDice(crew ?? told.get("roll") ?? "");
    const turn = { stage, throws, kept, roll, death: readDeath(told.get("death"), players.length) };
    if (kept.length && (stage < 3 || kept.length >= game.dice - 3)) throw new PositionError("more dice are kept than there are crew dice");
    if (roll.length > game.dice - stage - kept.length) throw new PositionError(`${roll.length} dice are shown, and ${game.dice - stage - kept.length} were thrown`);
    const found = { ...track, players, turn };
    checkStanding(found, game);
    const asked = alienCrew.position(found);
    asked?.game.position(asked.told); // throws if it cannot be
    return found;
  },
};

/** @param {string|null} text @param {number} seats @returns {Turn["death"]} */
function readDeath(text, seats) {
  if (!text) return null;
  const [who, stages = "", ...points] = text.split(" ");
  const found = {
    seats: who.split(".").map((seat) => wholeNumber(seat, "a seat", 1, seats) - 1),
    stages: stages.split(".").map((stage) => wholeNumber(stage, "a stage", 0, 3)),
    points: points.map((p) => wholeNumber(p, "points", 0, 99)),
  };
  if (found.stages.length !== found.seats.length || found.points.length >= found.seats.length) {
    throw new PositionError("a death round is told by its seats, their stages, and points of those who have played");
  }
  return found;
}

/** Refuse a standing that no match comes to. @param {Track} track @param {AlienCrew} game */
function checkStanding({ players, seat, round, over, turn }, game) {
  const { rounds, target } = game.match;
  if (rounds !== null && round > rounds) throw new PositionError(`the match is over after ${rounds} rounds`);
  players.forEach(({ score, stage }, i) => {
    const turns = over || turn.death || i < seat ? round : round - 1;
    if (score === 1 || score > 12 * turns) throw new PositionError(`seat ${i + 1} cannot have ${score} points after ${turns} turns: a turn brings nothing, or 2 to 12`);
    if (score && game.kept && stage !== 3) throw new PositionError(`seat ${i + 1} has ${score} points without the trio`);
    if (target !== null && score >= target && i >= seat && !over && !turn.death) {
      throw new PositionError(`the match is over, or seat ${i + 1} has not played yet: it has ${score} of ${target} points before its turn in this round`);
    }
  });
}

/** What is set aside, what is thrown, and how far the turn is. @param {Track} track */
export function crewSummary(track) {
  const { stage, throws, kept, roll, death } = turnOf(track);
  const complete = roll.length === thrown(track);
  const [now, others] = complete ? lock(stage, [...kept, ...roll]) : [stage, kept];
  const all = rulesOf(track.rules).throws;
  return { stage: now, kept: now === 3 && complete ? others : kept, throws, number: all - throws, all, death };
}
