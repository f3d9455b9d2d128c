// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const controls = /\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/**
 * What a script wrote, as text: without colours and other orders to a terminal, and of a line that was written over its
 * last form.
 */
export function plainText(output: string): string {
  const text = output.replaceAll('\r\n', '\n').replaceAll(controls, '');
  if (!text.includes('\r')) return text;
  return text
    .split('\n')
    .map((line) => line.split('\r').findLast((part) => part !== '') ?? '')
    .join('\n');
}
