// Martians!!! fights, tracked: so many Martians in a row, life and bullet tokens.

import { MartiansFights, MOST_FIGHTS, readWeapon } from "../rules/martians-fights.js";
import { wholeNumber } from "../rules/position.js";
import { newPlayers, withPlayer } from "./game.js";

/** @typedef {import("./game.js").Track} Track */
/**
 * @typedef {object} Turn
 * @property {number} left Martians not yet beaten.
 * @property {number} lives
 * @property {number} bullets
 * @property {string|null} using The weapon of this fight; null while it is not chosen.
 * @property {number|null} rolled
 * @property {boolean} dead
 */

const START = 3;
/** Fights of the committed table: to survive the last of them is the same from everywhere. */
const LONGEST = 12;
const MOST_TOKENS = 5;

/** @param {Track["rules"]} rules */
function rulesOf(rules) {
  return new MartiansFights(rules);
}

/** @param {Track} track @returns {Turn} */
function turnOf(track) {
  return track.turn;
}

/** The weapon before it is chosen. @param {Track["rules"]} rules */
function unchosen(rules) {
  return rulesOf(rules).held.length ? null : "none";
}

/** @type {import("./game.js").TrackedGame} */
export const martiansFights = {
  name: "martians-fights",
  title: "Martians!!! fights",
  short: "Martians!!!",
  about: "So many Martians in a row: spend bullets, or bleed?",
  seats: [1],
  readings: [
    {
      name: "fights",
      label: "Martians to fight in a row",
      options: [1, 2, 3, 4, 5, 6, 8, 10].map((n) => [n, String(n)]),
    },
    {
      name: "last-life",
      label: "When the last life token is forfeited",
      options: [["dies", "the player is dead at once"], ["one-more-roll", "one more roll is made"]],
    },
    {
      name: "weapon",
      label: "Weapons held",
      options: [
        ["none", "none"], ["+1", "+1 on the roll"], ["+2", "+2 on the roll"],
        ["reroll:1", "one re-roll a fight"], ["reroll:2", "two re-rolls a fight"],
        ["+1,reroll:1", "+1, or one re-roll"],
      ],
    },
  ],
  aims: () => ["survive", "kills"],
  rulesOf,

  asked(track) {
    const game = rulesOf(track.rules);
    const longer = track.aim === "survive" && game.fights < LONGEST;
    return longer ? rulesOf({ ...track.rules, fights: LONGEST }) : game;
  },

  create({ rules, names, aim }) {
    const all = { fights: 5, ...rules };
    const turn = { left: all.fights, lives: START, bullets: START, using: unchosen(all), rolled: null, dead: false };
    return { game: "martians-fights", rules: all, aim, players: newPlayers(names), seat: 0, round: 1, over: false, turn };
  },

  pad(track) {
    const { using, rolled } = turnOf(track);
    if (track.over || using === null) return null;
    const faces = [1, 2, 3, 4, 5, 6].map((n) => ({ id: String(n), name: String(n), key: String(n) }));
    const counts = Object.fromEntries(faces.map(({ id }) => [id, Number(Number(id) === rolled)]));
    return { faces, counts, missing: Number(rolled === null), of: 1, ask: "Roll the die and tap it" };
  },

  tap(track, face, by) {
    if (!martiansFights.pad(track)) return track;
    const rolled = by > 0 ? Number(face) : null;
    return { ...track, turn: { ...turnOf(track), rolled } };
  },

  position(track) {
    const { left, lives, bullets, using, rolled } = turnOf(track);
    if (track.over || (rolled === null && using !== null)) return null;
    const told = { lives, bullets, facing: left, rolled, using: using ?? "none" };
    return { game: martiansFights.asked(track), told };
  },

  apply(track, action) {
    const asked = martiansFights.position(track);
    const after = asked && rulesOf(track.rules).position(asked.told).options.get(action);
    if (!after) return track;
    const turn = turnOf(track);
    if (after[0] === "over") {
      const [, kills, lives, bullets, dead] = after.map(Number);
      const players = withPlayer(track.players, 0, { score: kills, last: null });
      return { ...track, players, over: true, turn: { ...turn, left: rulesOf(track.rules).fights - kills, lives, bullets, rolled: null, dead: dead === 1 } };
    }
    if (action.startsWith("use-") || action === "bare-hands") {
      return { ...track, turn: { ...turn, using: action === "bare-hands" ? "none" : action.slice(4) } };
    }
    const [left, lives, bullets] = /** @type {number[]} */ (after.slice(1));
    const next = { ...turn, left, lives, bullets, rolled: null };
    if (left < turn.left) {
      const players = withPlayer(track.players, 0, { score: rulesOf(track.rules).fights - left });
      return { ...track, players, turn: { ...next, using: unchosen(track.rules) } };
    }
    const rerolls = Number(after[5]);
    const [bonus] = readWeapon(turn.using ?? "none");
    return { ...track, turn: { ...next, using: bonus ? turn.using : rerolls ? `reroll:${rerolls}` : "none" } };
  },

  write(track) {
    const { left, lives, bullets, using, rolled } = turnOf(track);
    /** @type {Record<string, string>} */
    const told = { facing: String(left), lives: String(lives), bullets: String(bullets) };
    if (using) told.using = using;
    if (rolled !== null) told.rolled = String(rolled);
    return told;
  },

  read(track, told) {
    const game = rulesOf(track.rules);
    /** @param {string} name @param {number} least @param {number} most @param {number} otherwise */
    const number = (name, least, most, otherwise) => (told.has(name)
      ? wholeNumber(told.get(name) ?? "", name, least, most) : otherwise);
    const left = number("facing", Number(!track.over), Math.min(game.fights, MOST_FIGHTS), game.fights);
    const using = told.get("using") ?? unchosen(track.rules);
    if (using !== null) readWeapon(using);
    const turn = {
      left,
      lives: number("lives", track.over ? 0 : game.least, MOST_TOKENS, START),
      bullets: number("bullets", 0, MOST_TOKENS, START),
      using,
      rolled: told.has("rolled") ? number("rolled", 1, 6, 1) : null,
      dead: track.over && left > 0,
    };
    const players = withPlayer(track.players, 0, { score: game.fights - left });
    return { ...track, players, turn };
  },
};

/**
 * The same fight with one token more or less.
 * @param {Track} track @param {"lives"|"bullets"} which @param {1|-1} by @returns {Track}
 */
export function withToken(track, which, by) {
  const turn = turnOf(track);
  const least = which === "lives" ? rulesOf(track.rules).least : 0;
  const count = Math.min(Math.max(turn[which] + by, least), MOST_TOKENS);
  return { ...track, turn: { ...turn, [which]: count } };
}
