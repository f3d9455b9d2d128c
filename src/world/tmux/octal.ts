const backslash = 0x5c;
const escapeCharacter = Buffer.from('\\033');

/** Whether escaped bytes contain an escape character, which is cheaper to check than to undo all escapes. */
export function holdsEscape(escaped: Buffer): boolean {
  return escaped.includes(escapeCharacter);
}

function octalDigit(byte: number | undefined): number | undefined {
  return byte !== undefined && byte >= 0x30 && byte <= 0x37 ? byte - 0x30 : undefined;
}

/** Undoes tmux's escapes: `\ooo` is a byte and `\\` a backslash; anything else stays as it is. */
export function unescapeBytes(escaped: Buffer): Buffer {
  if (!escaped.includes(backslash)) return escaped;
  const out = Buffer.allocUnsafe(escaped.length);
  let length = 0;
  for (let i = 0; i < escaped.length; i += 1) {
    const byte = escaped[i] ?? 0;
    if (byte === backslash) {
      const [a, b, c] = [octalDigit(escaped[i + 1]), octalDigit(escaped[i + 2]), octalDigit(escaped[i + 3])];
      if (a !== undefined && b !== undefined && c !== undefined) {
        out[length++] = (a * 64 + b * 8 + c) & 0xff;
        i += 3;
        continue;
      }
      if (escaped[i + 1] === backslash) i += 1;
    }
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

/**
 * Undoes the escapes of `show-buffer` in a decoded line; tmux also writes a backslash before a `$` that is followed by
 * a letter or `{`.
 */
export function unescapeText(line: string): string {
  return line.replace(/\\([\\$]|[0-7]{3})/g, (_, code: string) =>
    code.length === 1 ? code : String.fromCharCode(Number.parseInt(code, 8)),
  );
}
