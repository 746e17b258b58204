// Exact fractions on BigInt, as far as the tables' values need them.

/** In lowest terms, the denominator above zero. @typedef {{n: bigint, d: bigint}} Fraction */

/** The greatest common divisor; b if a is zero. @param {bigint} a @param {bigint} b */
export function gcd(a, b) {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y) [x, y] = [y, x % y];
  return x;
}

/** @param {bigint} n @param {bigint} d Above zero. @returns {Fraction} */
export function fraction(n, d = 1n) {
  const shared = gcd(n, d);
  return { n: n / shared, d: d / shared };
}

/** @param {Fraction} a @param {Fraction} b @returns {Fraction} */
export function minus(a, b) {
  return fraction(a.n * b.d - b.n * a.d, a.d * b.d);
}

/** Negative, zero or positive as a is less than, equal to or more than b. @param {Fraction} a @param {Fraction} b */
export function compare(a, b) {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** As "n/d", or "n" if it is whole. @param {Fraction} a */
export function written(a) {
  return a.d === 1n ? String(a.n) : `${a.n}/${a.d}`;
}

/** The nearest float64. @param {Fraction} a @returns {number} */
export function rounded(a) {
  if (a.n < 0n) return -rounded({ n: -a.n, d: a.d });
  if (!a.n) return 0;
  // A quotient of 64 bits or more, its last bit set if anything was left over: rounding that
  // to 53 bits is rounding the fraction itself.
  const shift = BigInt(66 - (bits(a.n) - bits(a.d)));
  const [top, bottom] = shift > 0n ? [a.n << shift, a.d] : [a.n, a.d << -shift];
  const quotient = top / bottom;
  const sticky = top % bottom ? 1n : 0n;
  return Number(quotient | sticky) * 2 ** -Number(shift);
}

/** @param {bigint} n */
function bits(n) {
  return n.toString(2).length;
}

/**
 * The fraction in a row of two arrays of bytes, little-endian.
 * @param {import("./npy.js").NpyArray} numerator
 * @param {import("./npy.js").NpyArray} denominator
 * @param {number} row
 */
export function fractionAt(numerator, denominator, row) {
  return { n: bigAt(numerator, row), d: bigAt(denominator, row) };
}

/** @param {import("./npy.js").NpyArray} array @param {number} row */
function bigAt(array, row) {
  const width = array.shape[1];
  let value = 0n;
  for (let i = width - 1; i >= 0; i -= 1) {
    value = (value << 8n) | BigInt(array.data[row * width + i]);
  }
  return value;
}
