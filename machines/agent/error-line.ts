/** Maximum length of the line, in characters. */
const maxLength = 200;

/** Patterns of lines in which programs report why they failed. */
const says =
  /\b(?:error|err!|err_\w+|fatal|failed|failure|panic|exception|denied|refused|invalid|illegal|unauthori[sz]ed|forbidden|unknown|unrecogni[sz]ed|unexpected|unsupported|undefined|missing|ambiguous|cannot|can't|could not|couldn't|unable to|is not a|not (?:found|installed|something)|no such|no module|requires an? |timed out|expired|out of (?:memory|space)|no space left|bad (?:option|value|interpreter)|[A-Z][A-Za-z]+Error|E(?:NOENT|ACCES|PERM|ADDRINUSE|CONNREFUSED|TIMEDOUT))\b|^E\s|✗|✘|❌/i;
/** Lines after the error that only say that something failed, or where to read more. */
const adds =
  /complete log of this run|debug\.log|^(?:npm|pnpm|yarn) (?:err!|error)?\s*(?:code|errno|path|command|syscall|lifecycle|a complete|run "|\w+$|$)|npm not being able to find|command failed|exit(?:ed)? (?:code|status|with)|lifecycle script|^\s*at .+[:(]\d+|^\s*(?:make|ninja)(?:\[\d+\])?: \*\*\* \[|^node\.js v\d|^\s*[\^~-]+(?:\s|$)|for more info|--help\W*$|due to \d+ previous error|^[^\p{L}\p{N}]*(?:found )?\d+ (?:errors?|problems?|failed|failing)\b|^tests?(?: suites| files)?:? |pane is dead|^(?:exit|logout)$/iu;
/** The line that begins a usage text. The text's other lines are indented, or are headings. */
const usage =
  /^(?:npm (?:err!|error) )?(?:\S+: )?usage\b|^(?:[a-z][\w -]*)?(?:options|commands|arguments|flags):?\s*$/i;
const ofNpm = /^npm (?:err!|error) ?/i;
const ofUsage = /^\s|^$|:\s*$|^npm (?:err!|error)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;

/**
 * The most informative line of a failed program's output: the last one that names an error, not only that there was
 * one, or else the last line that is not blank. Lines of a usage text are used only if there are no others. It is
 * untrusted text and only a guess at what to show first: nothing may depend on it.
 */
export function errorLineOf(output: string): string {
  const written = output.split('\n').map((line) => line.replaceAll(escapes, '').trimEnd().split('\r').at(-1) ?? '');
  const lines = wordsIn(withoutUsage(written));
  const said = lines.length > 0 ? lines : wordsIn(written).slice(0, 1);
  const named = said.filter((line) => says.test(line.replace(ofNpm, '')));
  const line = named.findLast((one) => !adds.test(one)) ?? named.at(-1) ?? unnamed(said);
  const characters = [...line];
  return characters.length <= maxLength ? characters.join('') : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** The line if none names an error: the first one of npm, which prints advice last, or else the last line. */
function unnamed(lines: readonly string[]): string {
  const telling = lines.filter((line) => !adds.test(line));
  return telling.find((line) => ofNpm.test(line)) ?? telling.at(-1) ?? lines.at(-1) ?? '';
}

function withoutUsage(lines: readonly string[]): readonly string[] {
  let isUsage = false;
  return lines.filter((line) => {
    isUsage = usage.test(line) || (isUsage && ofUsage.test(line));
    return !isUsage;
  });
}

/** The lines with words, without frames around them. */
function wordsIn(lines: readonly string[]): readonly string[] {
  return lines
    .map((line) => line.replaceAll(/^[\s│┃|▌╎]+|[\s│┃|▐╎]+$/gu, '').replaceAll(/\s+/gu, ' '))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}
