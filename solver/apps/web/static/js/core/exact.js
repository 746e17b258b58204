// Exact rationals on the turn graph: values as integers over one integer, so that a tie is a tie.

import { gcd } from "./fractions.js";

/** @typedef {{numerator: bigint[], denominator: bigint[], chosen: Int32Array}} ExactValues */

/**
 * The exact best value of every node; decisions pick the first best in canonical order.
 * @param {import("./turn.js").TurnGraph} graph
 * @param {ArrayLike<number>} payoffs A whole number for each outcome.
 * @param {Int32Array|null} [fixed] The children that decisions pick, instead of the best.
 * @returns {ExactValues}
 */
export function solveExact(graph, payoffs, fixed = null) {
  const { kind, first, child, weight, outcomeOf } = graph;
  /** @type {bigint[]} */
  const numerator = [];
  /** @type {bigint[]} */
  const denominator = [];
  const chosen = new Int32Array(kind.length).fill(-1);
  for (let node = 0; node < kind.length; node += 1) {
    const low = first[node];
    const high = first[node + 1];
    if (kind[node] === 0) {
      numerator.push(BigInt(payoffs[outcomeOf[node]]));
      denominator.push(1n);
    } else if (kind[node] === 1) {
      let best = fixed ? fixed[node] : child[low];
      for (let i = low + 1; i < high && !fixed; i += 1) {
        const c = child[i];
        if (numerator[c] * denominator[best] > numerator[best] * denominator[c]) best = c;
      }
      chosen[node] = best;
      numerator.push(numerator[best]);
      denominator.push(denominator[best]);
    } else {
      let common = 1n;
      for (let i = low; i < high; i += 1) {
        const d = denominator[child[i]];
        common = (common / gcd(common, d)) * d;
      }
      let top = 0n;
      let total = 0n;
      for (let i = low; i < high; i += 1) {
        const w = BigInt(weight[i]);
        total += w;
        top += w * numerator[child[i]] * (common / denominator[child[i]]);
      }
      const bottom = total * common;
      const shared = gcd(top, bottom);
      numerator.push(top / shared);
      denominator.push(bottom / shared);
    }
  }
  return { numerator, denominator, chosen };
}
