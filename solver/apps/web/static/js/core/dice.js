// What n equal dice can show, as counts with integer weights.

/**
 * Every count vector that `n` dice can show, with the number of ordered outcomes behind it.
 * @param {number[]} weights Weight of each face.
 * @param {number} n Number of dice.
 * @returns {Generator<[number[], number]>} Counts and weight, out of sum(weights) ** n; exact while
 *   that is below 2**53.
 */
export function* multinomial(weights, n) {
  /** @type {number[]} */
  const counts = [];
  /** @param {number} left @param {number} weight @returns {Generator<[number[], number]>} */
  function* deeper(left, weight) {
    const at = counts.length;
    const last = at === weights.length - 1;
    let ways = 1; // C(left, count)
    for (let count = 0; count <= left; count += 1) {
      const factor = weights[at] ** count;
      if (factor === 0) break;
      if (!last || count === left) {
        counts.push(count);
        if (last) yield [counts.slice(), weight * ways * factor];
        else yield* deeper(left - count, weight * ways * factor);
        counts.pop();
      }
      ways = (ways * (left - count)) / (count + 1);
    }
  }
  if (weights.length) yield* deeper(n, 1);
  else if (n === 0) yield [[], 1];
}

/**
 * The same, with outcomes that look the same to `seen` added up.
 * @template T
 * @param {number[]} weights
 * @param {number} n
 * @param {(counts: number[]) => T} seen
 * @returns {[T, number][]}
 */
export function project(weights, n, seen) {
  /** @type {Map<string, [T, number]>} */
  const found = new Map();
  for (const [counts, weight] of multinomial(weights, n)) {
    const shown = seen(counts);
    const key = JSON.stringify(shown);
    const before = found.get(key);
    if (before === undefined) found.set(key, [shown, weight]);
    else before[1] += weight;
  }
  return [...found.values()];
}
