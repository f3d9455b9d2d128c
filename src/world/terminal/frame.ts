const escapeByte = 0x1b;
const bracket = 0x5b;
const graphics = 0x6d;
const zero = 0x30;
const nine = 0x39;
const offset = 0x811c9dc5;
const prime = 0x01000193;

/** The maximum length of an output that gets a number, in bytes. */
const maxBytes = 4096;

/**
 * A number for a piece of output (32 bits of FNV-1a): the same for two pieces that differ only in digits and colours,
 * as the frames of a spinner or a clock do. Undefined if the output is too long for such a frame.
 */
export function frameOf(output: Buffer): number | undefined {
  if (output.length > maxBytes) return undefined;
  let hash = offset;
  let inNumber = false;
  for (let at = 0; at < output.length; at += 1) {
    const byte = output[at] ?? 0;
    const end = byte === escapeByte && output[at + 1] === bracket ? endOfParameters(output, at + 2) : at;
    if (output[end] === graphics && end > at) {
      at = end;
      continue;
    }
    const isDigit = byte >= zero && byte <= nine;
    if (!(isDigit && inNumber)) hash = Math.imul(hash ^ (isDigit ? zero : byte), prime);
    inNumber = isDigit;
  }
  return hash >>> 0;
}

/** Where the parameters of a control sequence end: its final byte. */
function endOfParameters(output: Buffer, from: number): number {
  let at = from;
  while (at < output.length && (output[at] ?? 0) >= zero && (output[at] ?? 0) <= 0x3f) at += 1;
  return at;
}
