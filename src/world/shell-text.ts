/** A text as one word of a POSIX shell, which changes nothing in it. Must not contain NUL. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command of a POSIX shell that prints these bytes. */
export function printing(bytes: Uint8Array): string {
  let format = '';
  for (const byte of bytes) format += formatted[byte] ?? '';
  return `printf '${format}'`;
}

/**
 * Each byte in the format of `printf`, in single quotes: all but letters, digits and common signs as octal escapes. So is `-`,
 * with which an option begins.
 */
const formatted = Array.from({ length: 256 }, (_, byte) => {
  const sign = String.fromCharCode(byte);
  return /[\w ./:@^{}=+]/.test(sign) ? sign : `\\${byte.toString(8).padStart(3, '0')}`;
});
