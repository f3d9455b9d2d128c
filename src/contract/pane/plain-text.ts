/** Most of what people write in Latin letters, with the punctuation and the lines that muster prints. */
const plain = /^[ -~\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u203b\u2200-\u22ff\u2500-\u257f]*$/;

/**
 * Whether a text is safe to show and takes one cell for each of its UTF-16 units. Classes of Unicode decide that for other
 * texts; to compile them takes a tenth of the time of a command, so most commands do without.
 */
export function isPlainText(text: string): boolean {
  return plain.test(text);
}
