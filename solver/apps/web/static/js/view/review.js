// The review: skill and luck of every seat, the decisions with what they cost, and the record.

import { capital, fixed, percent } from "../advisor/explain.js";
import { h, icon } from "./dom.js";
import { counted } from "./words.js";

/** @typedef {import("../track/game.js").Track} Track */
/** @typedef {import("../review/review.js").Review} Review */
/** @typedef {import("../review/review.js").Account} Account */
/** @typedef {import("../review/review.js").Judged} Judged */

/**
 * @param {Review} review @param {Track} track @param {boolean} cut Whether something was not tracked just before.
 * @param {{copy: (text: string) => void, close: () => void}} act
 */
export function reviewView(review, track, cut, act) {
  return [
    h("div", { class: "column" },
      top(act.close),
      ...gaps(review, track, cut).map((text) => h("p", { class: "notice" }, text)),
      ...accounts(review, track),
      worst(review, track),
      record(review, act.copy)),
    h("div", { class: "column" }, decisions(review, track)),
  ];
}

/** While it is worked out, or if there is nothing. @param {string} text @param {() => void} close */
export function reviewNote(text, close) {
  return [h("div", { class: "column" }, top(close), h("p", { class: "coming", role: "status" }, text))];
}

/** @param {() => void} close */
function top(close) {
  return h("div", { class: "review-top" },
    h("h2", { tabindex: -1, data: { key: "review-title" } }, "Review"),
    h("button", { type: "button", class: "plain", data: { key: "review-close" }, onclick: close }, "Back to the game"));
}

/** What was not tracked, and what that means. @param {Review} review @param {Track} track @param {boolean} cut */
function gaps({ turns, whole, record: text, win, winFrom }, track, cut) {
  const said = [];
  const breaks = turns.filter((turn) => turn.cut).map((turn) => `before ${track.players[turn.seat].name}’s turn in round ${turn.round}`);
  if (cut) breaks.push("before what is on the table now");
  if (breaks.length) {
    said.push(`Something was entered without its dice ${breaks.slice(0, 3).join(", ")}${breaks.length > 3 ? ` and ${breaks.length - 3} times more` : ""}. It is left out here: nobody’s skill or luck.`);
  }
  if (!whole) said.push(text ? "The record ends where the first turn is missing." : "A record begins with the first turn of the match, which was not tracked: there is none to save.");
  if (track.players.length > 1 && !win) {
    said.push(track.game === "alien-crew" ? "The chances to win are worked out near the end of the match: so far this is a review in points." : "There is no table for the win under these rules: this is a review in points.");
  } else if (win && winFrom) {
    said.push(`The chances to win are known here from round ${turns[winFrom].round} on: the review for the win begins there.`);
  }
  return said;
}

/** @param {number} value @param {boolean} win @param {boolean} [sign] */
function shown(value, win, sign = false) {
  const size = Math.abs(value) < 1e-12 ? 0 : Math.abs(value);
  const text = win ? (sign ? `${fixed(100 * size, 1)} %` : percent(Math.min(size, 1))) : fixed(size, 2);
  const before = !sign ? "" : size === 0 ? "" : value > 0 ? "+" : "−";
  return `${before}${text}`.replace(" %", "\u00a0%");
}

/** @param {Review} review @param {Track} track */
function accounts({ points, win }, track) {
  const made = [];
  if (win) made.push(sheet("Chance to win, in %", win, track, true));
  made.push(sheet(win ? "Points, each turn by itself" : "Points", points, track, false));
  return made;
}

/** @param {string} title @param {Account[]} sums @param {Track} track @param {boolean} win */
function sheet(title, sums, track, win) {
  const unseen = sums.some((sum) => Math.abs(sum.unseen) > 1e-12);
  const columns = [win ? "Start" : "Expected", "Luck", "Skill", ...(win ? ["Others’"] : []), ...(unseen ? ["Unseen"] : []), "Result"];
  /** @param {number} value @param {boolean} [sign] @param {string} [name] */
  const cell = (value, sign = true, name = "") => h("td", { class: name }, shown(value, win, sign).replace("\u00a0%", ""));
  return h("div", { class: "sheet" },
    h("table", {},
      h("caption", {}, title),
      h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name)))),
      sums.map((sum, i) => h("tbody", {},
        sums.length > 1 && h("tr", {}, h("th", { scope: "rowgroup", colspan: columns.length }, track.players[i].name)),
        h("tr", {},
          cell(sum.start, false),
          cell(sum.luck, true, sum.luck < 0 ? "bad" : "good"),
          cell(-sum.lost, true, sum.lost > 1e-12 ? "bad" : ""),
          win && cell(sum.gained),
          unseen && cell(sum.unseen),
          cell(sum.result, false, "sum"))))),
    h("p", { class: "hint" }, win
      ? "Skill: what the own mistakes cost. Others’: what theirs brought. With start and luck they make the result."
      : "Expected of best play, luck, and skill (what mistakes cost) make the points."));
}

/** What was decided, in words. @param {Judged} step @param {string} action @param {Track} track */
function done(step, action, track) {
  if (action === "stop") return track.game === "alien-crew" ? "keep the crew" : "stop";
  if (action === "roll") return "roll";
  if (action.startsWith("roll-")) return `roll the ${action.split("-").slice(1).join(" and the ")} again`;
  return `take the ${action.replaceAll("-", " ").replace(/s$/, "")}s`;
}

/** @param {Judged} step */
function lost(step) {
  const [value, win] = step.win === null ? [step.points, false] : [step.win, true];
  if (value <= 0) return "best";
  if (value < (win ? 0.0005 : 0.005)) return win ? "−<0.1\u00a0%" : "−<0.01";
  return shown(-value, win, true);
}

/** @param {Judged} step @param {Track} track */
function instead(step, track) {
  return step.best.map((action) => done(step, action, track)).join(" or ");
}

/** @param {Judged} step */
function where({ shown: told }) {
  return Object.entries(told).filter(([, text]) => text).map(([name, text]) => (name === "throws" ? `${counted(Number(text), "throw")} left` : `${name} ${text}`)).join(", ");
}

/** @param {Review} review @param {Track} track */
function worst({ steps }, track) {
  const marked = steps.filter((step) => step.worst).sort((a, b) => (b.win ?? b.points) - (a.win ?? a.points));
  const decided = steps.filter((step) => step.kind === "choice" && step.options > 1).length;
  return h("div", { class: "tray" },
    h("h3", {}, "Worst mistakes"),
    marked.length
      ? h("ol", { class: "worst" }, marked.map((step) => h("li", {},
        icon("flag"),
        h("span", {}, h("b", {}, `${capital(done(step, step.text, track))}: `), `better ${instead(step, track)}.`,
          h("small", {}, `${track.players[step.seat - 1].name}, round ${step.round}; ${where(step)}`)),
        h("b", { class: "bad" }, lost(step)))))
      : h("p", { class: "hint" }, decided ? `None: all ${counted(decided, "decision")} were best.` : "Nothing has been decided yet."));
}

/** @param {Review} review @param {(text: string) => void} copy */
function record({ record: text }, copy) {
  if (!text) return null;
  const rows = Math.min(14, text.split("\n").length);
  const link = h("a", { class: "strong", data: { key: "record-save" }, download: "game.txt", href: URL.createObjectURL(new Blob([text], { type: "text/plain" })) }, "Save game.txt");
  link.addEventListener("click", () => setTimeout(() => URL.revokeObjectURL(/** @type {HTMLAnchorElement} */ (link).href), 60_000), { once: true });
  return h("div", { class: "tray record" },
    h("h3", { id: "record-title" }, "Record"),
    h("textarea", { readonly: true, rows, spellcheck: "false", "aria-labelledby": "record-title", data: { key: "record" } }, text),
    h("div", { class: "buttons" },
      h("button", { type: "button", class: "plain", data: { key: "record-copy" }, onclick: () => copy(text) }, "Copy"), link));
}

/** Turn by turn, what was rolled and decided. @param {Review} review @param {Track} track */
function decisions({ steps, turns }, track) {
  const rules = track.players.length > 1;
  return h("div", { class: "tray" },
    h("h3", { id: "every-turn" }, "Every turn"),
    h("ol", { class: "turns", "aria-labelledby": "every-turn" }, turns.map((turn, number) => h("li", {},
      h("p", { class: "turn" }, h("b", {}, rules ? `${track.players[turn.seat].name} · round ${turn.round}` : `Turn ${turn.round}`),
        turn.outcome === undefined ? " (not over)" : ` ${counted(Array.isArray(turn.outcome) ? turn.outcome[0] : turn.outcome, "point")}`),
      h("ul", {}, steps.filter((step) => step.turn === number + 1).map((step) => h("li", { class: `${step.kind} ${step.worst ? "marked" : ""}` },
        step.kind === "dice" ? h("span", {}, step.text) : h("span", {}, step.worst && icon("flag"), capital(done(step, step.text, track)),
          lost(step) !== "best" && h("small", {}, ` better ${instead(step, track)}`)),
        h("span", { class: "change" }, change(step)))))))));
}

/** @param {Judged} step */
function change(step) {
  if (step.kind === "choice") {
    const text = step.options > 1 ? lost(step) : "only choice";
    return h("b", { class: text.startsWith("−") ? "bad" : "soft" }, text);
  }
  const value = step.win ?? step.points;
  return h("span", {}, h("span", { class: "sr" }, "luck "), shown(value, step.win !== null, true));
}
