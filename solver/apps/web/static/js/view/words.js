// Options and amounts as the page words them.

import { capital, fixed, percent, phrase } from "../advisor/explain.js";

/** @typedef {import("../advisor/advise.js").Option} Option */
/** @typedef {import("../advisor/advise.js").Advice} Advice */
/** @typedef {import("../track/game.js").Track} Track */

/** As near to a certainty as float64 tells it from one. */
const ROUNDING = 1e-12;

/** @param {number} n @param {string} one */
export function counted(n, one) {
  return `${n} ${one}${n === 1 ? "" : "s"}`;
}

/** @param {Option} option @param {Track} track */
export function label(option, track) {
  const { action } = option;
  if (track.game === "martians-fights") return fightLabel(action, track);
  if (action === "stop" && track.game === "alien-crew") return "Keep this crew";
  if (action === "roll" && track.game === "alien-crew") return "Throw the other dice";
  return capital(phrase({ ...option, then: null }));
}

/** @param {string} action @param {Track} track */
function fightLabel(action, track) {
  const { rolled, using, left } = track.turn;
  if (action === "spend") {
    const bonus = /^\+(\d)/.exec(using ?? "");
    return `Spend ${counted(4 - rolled - Number(bonus?.[1] ?? 0), "bullet")} and win`;
  }
  if (action === "forfeit") return "Forfeit a life, roll again";
  if (action === "reroll") return "Use the weapon: roll again";
  if (action === "go-on") return left > 1 ? "Won! On to the next Martian" : "Won! That was the last one";
  if (action === "bare-hands") return "Fight with bare hands";
  if (action.startsWith("use-+")) return `Use the weapon: ${action.slice(4)} on the roll`;
  if (action.startsWith("use-")) return `Use the weapon: ${counted(Number(action.split(":")[1]), "re-roll")}`;
  return capital(action);
}

/** What the big button does: the option, and what best play does next. @param {Option} option @param {Track} track */
export function verdict(option, track) {
  const first = label(option, track);
  return option.then ? `${first}, then ${option.then}` : first;
}

/** @param {number} value @param {Advice["unit"]} unit */
export function shortAmount(value, unit) {
  if (unit === "points" || unit === "kills" || unit === "payoff") return fixed(value, 2);
  if (value > 1 - ROUNDING) return percent(1);
  return percent(value < ROUNDING ? 0 : value);
}

/** What is lost against the best. @param {number} loss @param {Advice["unit"]} unit */
export function lossAmount(loss, unit) {
  if (unit === "points" || unit === "kills" || unit === "payoff") {
    return loss < 0.005 ? "−<0.01" : `−${fixed(loss, 2)}`;
  }
  return loss < 0.0005 ? "−<0.1 %" : `−${fixed(100 * loss, 1)} %`;
}

/** @param {Advice["unit"]} unit @param {Track} track */
export function unitName(unit, track) {
  if (unit === "points") return "points, on average";
  if (unit === "kills") return "Martians, on average";
  if (unit === "win_probability") return "to win";
  return track.game === "martians-fights" ? "to survive" : "";
}

/** What the bad end is called. @param {Track} track */
export function bustName(track) {
  return track.game === "martians-fights" ? "death" : "bust";
}
