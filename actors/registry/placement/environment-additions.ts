import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';

/** What a name of a variable is. */
const nameForm = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;
/**
 * What muster itself says: who the agent is, by which way it calls, where its programs are, and what its terminal is.
 */
const mustersOwn =
  /^(?:(?:MUSTER|SERVICE|TMUX|npm)(?:_.*)?|PATH|HOME|SHELL|USER|LOGNAME|PWD|TERM|TERM_PROGRAM.*|COLORTERM|COLUMNS|LINES|INIT_CWD)$/;
/** What has other code run in every program that starts, muster's own too. */
const loaders = /^(?:LD_.*|DYLD_.*|NODE_OPTIONS|NODE_CHANNEL_.*|BASH_ENV|BASH_FUNC_.*|ENV|SHELLOPTS|BASHOPTS)$/;
/** How long all of them are together at most, in characters: they travel with each launch. */
const max = 32_768;

/**
 * Refuses what a workflow cannot add to the environment of its agents. An error never repeats a value: it may be a
 * secret.
 * @throws INVALID_ARGUMENT
 */
export function checkAdditions(entries: readonly string[]): void {
  const names = entries.map((entry) => entry.split('=', 1)[0] ?? '');
  const refuse = (name: string, why: string) => {
    throw new Failure('INVALID_FIELD', `environment has ${quoted(name)}, ${why}`, { field: 'environment' });
  };
  for (const [place, name] of names.entries()) {
    if (!nameForm.test(name))
      refuse(name, 'which is not a variable name: give NAME or NAME=value, of A to Z, 0 to 9 and _');
    if (mustersOwn.test(name)) refuse(name, 'which muster sets for every agent: choose another one');
    if (loaders.test(name))
      refuse(name, 'which makes every program run other code first: set it in a script of your own');
    if (names.indexOf(name) !== place) refuse(name, 'which is given twice: give it once');
    if (entries[place]?.includes('\0'))
      refuse(name, 'whose value has a NUL character, which an environment cannot hold: leave it out');
  }
  const length = entries.join('').length;
  if (length <= max) return;
  throw new Failure(
    'INVALID_FIELD',
    `environment is ${length} characters long and at most ${max} are allowed: shorten it`,
    { field: 'environment' },
  );
}
