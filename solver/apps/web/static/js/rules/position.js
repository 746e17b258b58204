// Positions as people at a table see them, and what is wrong with those that cannot be.

/** @typedef {import("../core/turn.js").State} State */
/**
 * @typedef {object} Position
 * @property {Record<string, string>} shown Field -> its text, in the sheet's short notation.
 * @property {State} state The state of the rules.
 * @property {Map<string, State>} options Legal actions in canonical order.
 * @property {string|null} note What the player should know, such as why there is no choice.
 */

/** A position that the rules do not allow. */
export class PositionError extends Error {}

/**
 * The number that a text stands for.
 * @param {string|number} given
 * @param {string} what
 * @param {number} least
 * @param {number} most
 */
export function wholeNumber(given, what, least, most) {
  const text = String(given).trim();
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(number >= least && number <= most)) {
    throw new PositionError(`${what} is a whole number from ${least} to ${most}, not "${text}"`);
  }
  return number;
}

/**
 * Settings over defaults, each checked against what a rule may be.
 * @param {Record<string, import("../core/tables.js").Rules[string]>} defaults
 * @param {Record<string, (string|number)[]|[number, number, "range"]>} allowed
 * @param {Record<string, string|number>} settings
 */
export function rulesFrom(defaults, allowed, settings) {
  const rules = { ...defaults };
  for (const [name, given] of Object.entries(settings)) {
    const limits = allowed[name];
    if (limits === undefined) {
      if (String(defaults[name]) === String(given)) continue;
      throw new PositionError(`this page cannot change the rule "${name}"`);
    }
    if (limits[2] === "range") {
      const [least, most] = /** @type {[number, number, "range"]} */ (limits);
      rules[name] = wholeNumber(given, name, least, most);
    } else {
      const found = limits.find((value) => String(value) === String(given));
      if (found === undefined) {
        throw new PositionError(`${name} is ${limits.join(" or ")}, not "${given}"`);
      }
      rules[name] = found;
    }
  }
  return rules;
}
