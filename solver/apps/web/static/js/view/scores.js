// The score sheet: everybody's points, and whose turn it is.

import { STAGES } from "../rules/alien-crew.js";
import { leaders, listed } from "../track/game.js";
import { h, icon } from "./dom.js";
import { counted } from "./words.js";

/** @typedef {import("../track/game.js").Track} Track */

/** @param {Track} track @param {number[]|null} chances Every seat's chance to win under the advice. */
export function scoreStrip(track, chances) {
  if (track.game === "martians-fights") return null;
  return h("ol", { class: `strip n${track.players.length}`, "aria-label": "Scores" }, track.players.map((player, i) => {
    const now = !track.over && i === track.seat;
    return h("li", { class: now ? "now" : "", "aria-current": now ? "true" : null },
      h("span", { class: "who" }, player.name),
      h("span", { class: "score" }, player.score,
        player.last !== null && h("small", {}, ` ${player.last ? `+${player.last}` : "±0"}`)),
      h("span", { class: "extra" },
        track.game === "alien-crew" && stageMarks(player.stage ?? 0),
        chances && h("span", {}, `${roughly(chances[i])} to win`)));
  }));
}

/** A chance in whole percent, never rounded to a certainty. @param {number} chance */
function roughly(chance) {
  if (chance > 0 && chance < 0.005) return "<1 %";
  if (chance < 1 && chance > 0.995) return ">99 %";
  return `${Math.round(100 * chance)} %`;
}

/** @param {number} stage */
function stageMarks(stage) {
  return h("span", { class: "marks", role: "img", "aria-label": `has ${STAGES[stage]}` },
    ["ship", "captain", "mate"].map((name, i) => icon(name, `mark ${i < stage ? "on" : ""}`)));
}

/** One line on where the game is. @param {Track} track @param {any} game Its rules. */
export function headline(track, game) {
  const alone = track.players.length === 1;
  const name = track.players[track.seat].name;
  if (track.game === "martian-dice") {
    return alone ? `turn ${track.round}, to ${game.race.target} points` : `${name}’s turn · round ${track.round}`;
  }
  if (track.game === "alien-crew") {
    if (track.turn.death) return `Death round · ${name}’s turn`;
    const of = game.match.rounds === null ? "" : ` of ${game.match.rounds}`;
    return `${alone ? "" : `${name}’s turn · `}round ${track.round}${of}`;
  }
  const { left } = track.turn;
  return `Martian ${Math.min(game.fights - left + 1, game.fights)} of ${game.fights}`;
}

/** How the game has ended. @param {Track} track @param {any} game Its rules. */
export function ending(track, game) {
  const { players } = track;
  if (track.game === "martians-fights") {
    const { dead, lives, bullets } = track.turn;
    return dead
      ? { title: "The Martians got you", text: `You beat ${players[0].score} of ${game.fights}.` }
      : { title: "You survived", text: `All ${counted(game.fights, "Martian")} beaten, with ${counted(lives, "life token")} and ${counted(bullets, "bullet token")} left.` };
  }
  if (players.length === 1) {
    return { title: `${players[0].score} points`, text: track.game === "martian-dice" ? `in ${counted(track.round, "turn")}.` : `in ${counted(track.round, "round")}.` };
  }
  const best = leaders(players);
  if (best.length === 1 || track.game === "alien-crew") {
    const winner = best.length === 1 ? best[0] : track.seat;
    const how = best.length === 1 ? `with ${players[winner].score} points` : `in the death round, after a tie at ${players[winner].score}`;
    return { title: `${players[winner].name} wins`, text: `${how}.` };
  }
  const names = listed(best.map((i) => players[i].name));
  const then = track.rules.tie === "shared" ? "They share the win." : "Now the duel: six dice each, the most death rays win.";
  return { title: `A tie at ${players[best[0]].score} points`, text: `${names}. ${then}` };
}
