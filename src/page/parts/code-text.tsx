/** A text in which everything between backticks is shown as code. */
export function CodeText({ text }: { readonly text: string }) {
  const pieces = text.split('`');
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name
  return pieces.map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece));
}
