/** The most characters of a line that are shown. */
const maxLength = 200;

/** What programs write in the line that says why they failed. */
const says =
  /\b(?:error|err!|fatal|failed|failure|panic|exception|denied|refused|invalid|unauthori[sz]ed|forbidden|unknown|unsupported|missing|cannot|can't|could not|couldn't|unable to|not found|no such|not installed|timed out|expired|out of (?:memory|space)|no space left|[A-Z][A-Za-z]+Error)\b|^E\s|✗|✘|❌/i;
/** Lines that come after one that says why, and only say that something failed, or where more is written. */
const adds =
  /complete log of this run|debug\.log|^(?:npm|pnpm|yarn) (?:err!|error)?\s*(?:code|errno|path|command|syscall|lifecycle|a complete)|command failed|exit(?:ed)? (?:code|status|with)|lifecycle script|^\s*at .+[:(]\d+|^\s*(?:make|ninja)(?:\[\d+\])?: \*\*\*|^node\.js v\d|^\s*[\^~-]+\s*$|for more information|pane is dead|^(?:exit|logout)$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;

/**
 * The line of what a program wrote before it failed that says most about why: the last one that names an error and not
 * only that there was one, else the last one that is not blank. It is somebody else's text: a guess at what to show
 * first, and no ground to decide by.
 */
export function errorLineOf(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => visible(line))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const named = lines.filter((line) => says.test(line));
  const line = named.findLast((one) => !adds.test(one)) ?? named.at(-1) ?? lines.findLast((one) => !adds.test(one));
  const characters = [...(line ?? lines.at(-1) ?? '')];
  return characters.length <= maxLength ? characters.join('') : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** A line as a terminal leaves it: what a carriage return went back over is not there, nor are colours and frames. */
function visible(line: string): string {
  const written = line.replaceAll(escapes, '').trimEnd().split('\r').at(-1) ?? '';
  return written.replaceAll(/^[\s│┃|▌╎]+|[\s│┃|▐╎]+$/gu, '').replaceAll(/\s+/gu, ' ');
}
