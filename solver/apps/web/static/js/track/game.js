// What every tracked game has in common.

/**
 * A seat as the score sheet has it.
 * @typedef {object} Player
 * @property {string} name
 * @property {number} score
 * @property {number|null} last Points of the last turn.
 * @property {number} [stage] Alien Crew: what the seat has of the trio.
 */
/**
 * A tracked game at one moment. Plain values, never changed: every tap makes another one.
 * @typedef {object} Track
 * @property {string} game
 * @property {Record<string, string|number>} rules What differs from the official rules.
 * @property {"win"|"points"|"survive"|"kills"} aim
 * @property {Player[]} players
 * @property {number} seat From 0.
 * @property {number} round From 1.
 * @property {boolean} over
 * @property {any} turn What lies on the table, as the game keeps it.
 * @property {import("./log.js").Log} [log] What happened so far.
 */
/**
 * A face that can be tapped.
 * @typedef {object} Face
 * @property {string} id
 * @property {string} name "death ray"
 * @property {string} [short] Where there is little room.
 * @property {string} key The letter or digit that enters it.
 */
/**
 * What the player is asked to tap.
 * @typedef {object} Pad
 * @property {Face[]} faces
 * @property {Record<string, number>} counts
 * @property {number} missing Dice still to be tapped.
 * @property {number} of Dice that were rolled.
 * @property {string} ask
 */
/**
 * A choice among the rules' readings.
 * @typedef {object} Reading
 * @property {string} name
 * @property {string} label
 * @property {[string|number, string][]} options Value and what it means.
 */
/**
 * What the page knows of a game.
 * @typedef {object} TrackedGame
 * @property {string} name
 * @property {string} title
 * @property {string} short The title where there is little room.
 * @property {string} about One line.
 * @property {number[]} seats Numbers of seats that can be tracked.
 * @property {Reading[]} readings
 * @property {(n: number) => Track["aim"][]} aims What can be played for with so many seats.
 * @property {(setup: {rules: Track["rules"], names: string[], aim: Track["aim"]}) => Track} create
 * @property {(rules: Track["rules"]) => any} rulesOf The game with these rules.
 * @property {(track: Track) => any} asked The game that is asked for advice: these rules, or others that answer the same.
 * @property {(track: Track) => Pad|null} pad What has to be tapped; null if everything is known.
 * @property {(track: Track, face: string, by: 1|-1) => Track} tap
 * @property {(track: Track) => {game: any, told: any}|null} position What to ask; null while dice are missing.
 * @property {(track: Track, action: string) => Track} apply
 * @property {(track: Track) => Record<string, string>} write For the address: all but rules and players.
 * @property {(track: Track, told: URLSearchParams) => Track} read
 */

/** @param {string[]} names @returns {Player[]} */
export function newPlayers(names) {
  return names.map((name) => ({ name, score: 0, last: null }));
}

/** The players with one of them changed. @param {Player[]} players @param {number} seat @param {Partial<Player>} change */
export function withPlayer(players, seat, change) {
  return players.map((player, i) => (i === seat ? { ...player, ...change } : player));
}

/** Seats with the most points. @param {Player[]} players @param {number[]} [among] */
export function leaders(players, among = players.map((_, i) => i)) {
  const best = Math.max(...among.map((i) => players[i].score));
  return among.filter((i) => players[i].score === best);
}

/** "a", "a and b", "a, b and c". @param {string[]} words */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
