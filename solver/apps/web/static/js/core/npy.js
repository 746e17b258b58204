// Reading NumPy's .npy files: what the tables are made of.

/**
 * One array of a table.
 * @typedef {object} NpyArray
 * @property {Float64Array|Float32Array|Int32Array|Uint32Array|Int16Array|Uint16Array|Int8Array|Uint8Array} data
 *   The numbers, row by row.
 * @property {number[]} shape
 * @property {string} dtype NumPy's name of the type: "<f8", "|u1", ...
 */

const KINDS = {
  "<f8": Float64Array,
  "<f4": Float32Array,
  "<i4": Int32Array,
  "<u4": Uint32Array,
  "<i2": Int16Array,
  "<u2": Uint16Array,
  "|i1": Int8Array,
  "|u1": Uint8Array,
};

/**
 * Return the array in the bytes of a .npy file (format 1.0 to 3.0, little-endian, C order).
 * @param {ArrayBuffer} buffer
 * @returns {NpyArray}
 */
export function readNpy(buffer) {
  const bytes = new Uint8Array(buffer);
  const view = new DataView(buffer);
  if (bytes.length < 10 || view.getUint32(0) !== 0x934e554d || view.getUint16(4) !== 0x5059) {
    throw new Error("this is no .npy file");
  }
  const long = bytes[6] > 1; // from 2.0 on the header's length takes four bytes
  const length = long ? view.getUint32(8, true) : view.getUint16(8, true);
  const begin = (long ? 12 : 10) + length;
  const header = new TextDecoder("latin1").decode(bytes.subarray(long ? 12 : 10, begin));
  const dtype = /'descr'\s*:\s*'([^']+)'/.exec(header)?.[1] ?? "";
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(header)?.[1];
  const listed = /'shape'\s*:\s*\(([^)]*)\)/.exec(header)?.[1];
  if (order !== "False" || listed === undefined) {
    throw new Error(`cannot read an array stored as ${header.trim()}`);
  }
  const shape = listed.split(",").filter((part) => part.trim()).map(Number);
  const count = shape.reduce((product, n) => product * n, 1);
  if (dtype === "<i8") {
    return { data: wide(view, begin, count), shape, dtype };
  }
  const Kind = KINDS[/** @type {keyof typeof KINDS} */ (dtype)];
  if (Kind === undefined) {
    throw new Error(`cannot read numbers of type ${dtype}`);
  }
  const size = count * Kind.BYTES_PER_ELEMENT;
  if (begin + size !== bytes.length) {
    throw new Error(`${bytes.length - begin} bytes of numbers instead of ${size}`);
  }
  const aligned = begin % Kind.BYTES_PER_ELEMENT === 0;
  const data = aligned ? new Kind(buffer, begin, count) : new Kind(buffer.slice(begin));
  return { data, shape, dtype };
}

/**
 * Return 64-bit integers as float64, which holds them exactly up to 2**53.
 * @param {DataView} view
 * @param {number} begin
 * @param {number} count
 */
function wide(view, begin, count) {
  const data = new Float64Array(count);
  for (let i = 0; i < count; i += 1) {
    data[i] = Number(view.getBigInt64(begin + 8 * i, true));
    if (!Number.isSafeInteger(data[i])) {
      throw new Error(`the number at place ${i} is too large`);
    }
  }
  return data;
}
