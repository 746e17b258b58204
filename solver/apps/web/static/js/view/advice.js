// The advice: the best action large, every alternative as a bar, and why.

import { percent } from "../advisor/explain.js";
import { h, icon } from "./dom.js";
import { bustName, counted, label, lossAmount, shortAmount, unitName, verdict } from "./words.js";

/** @typedef {import("../advisor/advise.js").Advice} Advice */
/** @typedef {import("../track/game.js").Track} Track */

/**
 * @param {Advice} advice
 * @param {Track} track
 * @param {{follow: () => void, choose: (action: string) => void}} act
 * @param {number|null} points What stopping now brings.
 * @returns {HTMLElement[]}
 */
export function adviceView(advice, track, act, points) {
  const [best] = advice.options;
  const alone = advice.options.length === 1;
  const tied = advice.options.filter((option) => option.best).length > 1;
  return [
    h("button", { type: "button", class: "verdict", data: { key: "verdict" }, "aria-keyshortcuts": "Enter", onclick: act.follow },
      h("span", { class: "eyebrow" }, alone ? "Next" : tied ? "Best, with a tie" : "Best"),
      h("span", { class: "do" }, alone ? only(advice, track, points) : withPoints(verdict(best, track), best, points), icon("go")),
      h("span", { class: "figures" },
        h("span", {}, h("b", {}, shortAmount(best.value, advice.unit)), ` ${unitName(advice.unit, track)}`),
        risky(advice) && h("span", {}, h("b", {}, percent(best.bust)), ` ${bustName(track)}`))),
    h("p", { class: "why" }, advice.why.replaceAll(" %", "\u00a0%")),
    ...(alone ? [] : [bars(advice, track, act)]),
    source(advice),
  ];
}

/** Whether the chance of the bad end says more than the value does. @param {Advice} advice */
function risky(advice) {
  return advice.objective !== "survive" && advice.options.some((option) => option.bust > 0);
}

/**
 * The one thing that can be done.
 * @param {Advice} advice @param {Track} track @param {number|null} points
 */
function only(advice, track, points) {
  const [option] = advice.options;
  if (option.action !== "stop" || points === null) return verdict(option, track);
  return `Score ${points}${track.players.length > 1 ? ", next player" : ""}`;
}

/** @param {string} text @param {import("../advisor/advise.js").Option} option @param {number|null} points */
function withPoints(text, option, points) {
  return option.action === "stop" && points !== null ? `${text}: ${counted(points, "point")}` : text;
}

/**
 * @param {Advice} advice @param {Track} track
 * @param {{choose: (action: string) => void}} act
 */
function bars(advice, track, act) {
  const most = Math.max(...advice.options.map((option) => option.value), 1e-12);
  return h("div", { class: "alternatives" },
    h("h3", { id: "all-options" }, "All options"),
    h("ul", { class: "options", "aria-labelledby": "all-options" }, advice.options.map((option, i) => h("li", {},
      h("button", {
        type: "button",
        class: `option ${option.best ? "best" : ""}`,
        data: { key: `option-${option.action}`, action: option.action },
        "aria-label": described(advice, track, i),
        onclick: () => act.choose(option.action),
      },
      h("span", { class: "what" }, label(option, track),
        option.then && h("small", {}, ` then ${option.then}`)),
      h("span", { class: "worth" }, shortAmount(option.value, advice.unit)),
      h("span", { class: "bar", style: { "--part": (Math.max(option.value, 0) / most).toFixed(4) } }, h("i")),
      h("span", { class: "facts" },
        h("span", { class: "loss" }, option.best ? (i ? "as good" : "best") : lossAmount(option.loss, advice.unit)),
        risky(advice) && h("span", {}, `${percent(option.bust)} ${bustName(track)}`),
        option.mix !== null && h("span", {}, `take it ${percent(option.mix)} of the time`)))))));
}

/** An option in full, for those who hear it. @param {Advice} advice @param {Track} track @param {number} i */
function described(advice, track, i) {
  const option = advice.options[i];
  const lost = option.best ? (i ? "as good as the best" : "the best") : `${lossAmount(option.loss, advice.unit).slice(1)} less than the best`;
  return `${verdict(option, track)}: ${shortAmount(option.value, advice.unit)} ${unitName(advice.unit, track)}, ${lost}${risky(advice) ? `, ${percent(option.bust)} ${bustName(track)}` : ""}`;
}

/** @param {Advice} advice */
function source({ exactness, table, objective, graph }) {
  const from = graph === null || table === null ? "Solved in this browser from the rules." : `From the table ${table}.`;
  const exact = exactness.kind === "exact" ? "Exact fractions, rounded for display."
    : exactness.kind === "equilibrium"
      ? `Chances of an equilibrium${exactness.error === null ? "" : `: no seat gains more than ${small(exactness.error)} by deviating`}.`
      : exactness.error === null ? "Computed in double precision." : `Every value is within ${small(exactness.error)} of the truth.`;
  const aim = { win: "For the win.", points: "For the most points.", survive: "To survive all fights.", kills: "For the most Martians." }[objective];
  return h("details", { class: "source" },
    h("summary", { data: { key: "source" } }, "How sure is this?"),
    h("p", {}, `${aim ?? ""} ${from} ${exact} All that follows is assumed to be played as advised.`));
}

/** @param {number|null} error */
function small(error) {
  return (error ?? 0).toExponential(0).replace("e-", " · 10⁻").replace(/⁻(\d+)$/, (_, digits) => `⁻${[...digits].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)]).join("")}`);
}
