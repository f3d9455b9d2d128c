// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const controls = /\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/**
 * The output of a script as plain text: without control sequences, and with only the last version of an overwritten
 * line.
 */
export function plainText(output: string): string {
  const text = output.replaceAll('\r\n', '\n').replaceAll(controls, '');
  if (!text.includes('\r')) return text;
  return text
    .split('\n')
    .map((line) => line.split('\r').findLast((part) => part !== '') ?? '')
    .join('\n');
}
