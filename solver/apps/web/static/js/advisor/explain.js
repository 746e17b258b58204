// One sentence on why the best option is best, and numbers as people read them.

/** @typedef {import("./advise.js").Option} Option */
/** @typedef {import("./advise.js").Unit} Unit */

/** A chance as a percentage, never rounded to a certainty that it is not. @param {number} chance */
export function percent(chance) {
  if (chance <= 0) return "0 %";
  if (chance >= 1) return "100 %";
  if (chance < 0.0005) return "<0.1 %";
  if (chance > 0.9995) return ">99.9 %";
  return `${fixed(100 * chance, 1)} %`;
}

/** A value with its unit. @param {number} value @param {Unit} unit */
export function amount(value, unit) {
  if (unit === "probability" || unit === "win_probability") return percent(value);
  return unit === "payoff" ? fixed(value, 3) : `${fixed(value, 3)} ${unit}`;
}

/**
 * Rounded to some digits; halves that are exact in binary go to the even digit, as elsewhere here.
 * @param {number} value @param {number} digits
 */
export function fixed(value, digits) {
  const scaled = value * 10 ** digits;
  const low = Math.floor(scaled);
  if (scaled - low === 0.5 && low % 2 === 0 && (low + 0.5) / 10 ** digits === value) {
    return (low / 10 ** digits).toFixed(digits);
  }
  return value.toFixed(digits);
}

/** @param {Option} option */
function taken(option) {
  return `the ${option.action.replaceAll("-", " ").replace(/s$/, "")}s`; // all dice of the type
}

/** @param {Option} option */
function dice(option) {
  return option.action.split("-").slice(1).join(" and the ");
}

/** Action -> as an imperative, and as a gerund. @type {Record<string, [string, string]>} */
const WORDS = {
  roll: ["roll", "rolling"],
  stop: ["stop", "stopping"],
  spend: ["spend the bullets", "spending the bullets"],
  reroll: ["roll again with the weapon", "rolling again with the weapon"],
  forfeit: ["forfeit a life", "forfeiting a life"],
  "go-on": ["go on", "going on"],
  "bare-hands": ["use no weapon", "using no weapon"],
};

/** An option as an imperative: "take the cows, then roll". @param {Option} option */
export function phrase(option) {
  const { action } = option;
  if (action in WORDS) return WORDS[action][0];
  if (action.startsWith("use-")) return `use the weapon ${action.slice(4)}`;
  if (action.startsWith("roll-")) return `roll the ${dice(option)} again`;
  const text = `take ${taken(option)}`;
  return option.then ? `${text}, then ${option.then}` : text;
}

/** @param {Option} option */
function doing(option) {
  const { action } = option;
  if (action in WORDS) return WORDS[action][1];
  if (action.startsWith("use-")) return `using the weapon ${action.slice(4)}`;
  if (action.startsWith("roll-")) return `rolling the ${dice(option)} again`;
  return `taking ${taken(option)}`;
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Why the first option is best.
 * @param {Option[]} options @param {Unit} unit @param {string|null} note
 * @param {string} bustMeans What the bust chance is the chance of, as the beginning of a sentence.
 */
export function reason(options, unit, note, bustMeans) {
  const best = options[0];
  if (options.length === 1) return `${capital((note ?? "there is no other option").toLowerCase())}.`;
  const mixed = options.filter((o) => o.mix !== null);
  if (mixed.length) {
    const parts = mixed.map((o) => `${phrase(o)} with chance ${fixed(/** @type {number} */ (o.mix), 4)}`);
    return `Mix, so that nobody can gain by knowing what you do: ${parts.join(", ")}.`;
  }
  const tied = options.filter((o) => o.best);
  const worth = amount(best.value, unit) + (unit === "win_probability" ? " to win" : "");
  const other = options.find((o) => !o.best);
  if (!other) return `It makes no difference: every option is worth ${worth}.`;
  const also = tied.length > 1 ? ` (${tied.slice(1).map(doing).join(", ")} is as good)` : "";
  return `${capital(phrase(best).toLowerCase())}${also}: ${worth}, against ${amount(other.value, unit)} for`
    + ` ${doing(other)}. ${bustMeans} ${percent(best.bust)} of the time.`;
}
