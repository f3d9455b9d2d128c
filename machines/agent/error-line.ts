/** The most characters of a line that are shown. */
const maxLength = 200;

/** Patterns of lines in which programs say why they failed. */
const says =
  /\b(?:error|err!|err_\w+|fatal|failed|failure|panic|exception|denied|refused|invalid|illegal|unauthori[sz]ed|forbidden|unknown|unrecogni[sz]ed|unexpected|unsupported|undefined|missing|ambiguous|cannot|can't|could not|couldn't|unable to|is not a|not (?:found|installed|something)|no such|no module|requires an? |timed out|expired|out of (?:memory|space)|no space left|bad (?:option|value|interpreter)|[A-Z][A-Za-z]+Error|E(?:NOENT|ACCES|PERM|ADDRINUSE|CONNREFUSED|TIMEDOUT))\b|^E\s|✗|✘|❌/i;
/** Lines after the error that only say that something failed, or where to read more. */
const adds =
  /complete log of this run|debug\.log|^(?:npm|pnpm|yarn) (?:err!|error)?\s*(?:code|errno|path|command|syscall|lifecycle|a complete|run "|\w+$|$)|npm not being able to find|command failed|exit(?:ed)? (?:code|status|with)|lifecycle script|^\s*at .+[:(]\d+|^\s*(?:make|ninja)(?:\[\d+\])?: \*\*\* \[|^node\.js v\d|^\s*[\^~-]+(?:\s|$)|for more info|--help\W*$|due to \d+ previous error|^[^\p{L}\p{N}]*(?:found )?\d+ (?:errors?|problems?|failed|failing)\b|^tests?(?: suites| files)?:? |pane is dead|^(?:exit|logout)$/iu;
/** The line with which a program begins to say how it is called; what it lists is indented, or is another heading. */
const usage =
  /^(?:npm (?:err!|error) )?(?:\S+: )?usage\b|^(?:[a-z][\w -]*)?(?:options|commands|arguments|flags):?\s*$/i;
const ofNpm = /^npm (?:err!|error) ?/i;
const ofUsage = /^\s|^$|:\s*$|^npm (?:err!|error)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;

/**
<<<<<<< HEAD
 * The line of what a program wrote before it failed that says most about why: the last one that names an error and not
 * only that there was one, else the last one that is not blank; one that says how the program is called only if there
 * is no other. It is somebody else's text: a guess at what to show first, and no ground to decide by.
=======
 * The line of a failed program's output that says most about the cause: the last one that names an error and not only
 * that there was one, or else the last line that is not blank. It is untrusted text and only a guess at what to show
 * first: nothing may depend on it.
>>>>>>> 1034f0de (Describe machines by instances, contexts and transitions)
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

/** Where no line names an error: the first of npm, which has advice last, else the last. */
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

/** The lines that hold words, without frames around them. */
function wordsIn(lines: readonly string[]): readonly string[] {
  return lines
    .map((line) => line.replaceAll(/^[\s│┃|▌╎]+|[\s│┃|▐╎]+$/gu, '').replaceAll(/\s+/gu, ' '))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}
