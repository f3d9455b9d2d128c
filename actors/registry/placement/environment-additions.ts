import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';

/** The pattern of a variable's name. */
const nameForm = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;
/** Variables that muster sets: the agent's identity, how it calls muster, where its programs are, and its terminal. */
const mustersOwn =
  /^(?:(?:MUSTER|SERVICE|TMUX|npm)(?:_.*)?|PATH|HOME|SHELL|USER|LOGNAME|PWD|TERM|TERM_PROGRAM.*|COLORTERM|COLUMNS|LINES|INIT_CWD)$/;
/** Variables that make every program, muster's own included, load and run other code. */
const loaders = /^(?:LD_.*|DYLD_.*|NODE_OPTIONS|NODE_CHANNEL_.*|BASH_ENV|BASH_FUNC_.*|ENV|SHELLOPTS|BASHOPTS)$/;
/** Maximum total length, in characters: each launch carries all of them. */
const max = 32_768;

/**
 * Checks the name of a variable that people give to agents. `form` says how the field is written.
 * @throws INVALID_ARGUMENT when it is not a name, or one that only muster may set
 */
export function checkVariable(name: string, field: string, form: string): void {
  const refuse = (why: string) => {
    throw new Failure('INVALID_FIELD', `${field} has ${quoted(name)}, ${why}`, { field });
  };
  if (!nameForm.test(name)) refuse(`which is not a variable name: give ${form}, of A to Z, 0 to 9 and _`);
  if (mustersOwn.test(name)) refuse('which muster sets for every agent: choose another one');
  if (loaders.test(name)) refuse('which makes every program run other code first: set it in a script of your own');
}

/**
 * Checks the variables that a workflow adds to the environment of its agents. Error messages do not repeat values,
 * because they may be secrets.
 * @throws INVALID_ARGUMENT when a variable is not allowed, or they are too long together
 */
export function checkAdditions(entries: readonly string[]): void {
  const names = entries.map((entry) => entry.split('=', 1)[0] ?? '');
  const refuse = (name: string, why: string) => {
    throw new Failure('INVALID_FIELD', `environment has ${quoted(name)}, ${why}`, { field: 'environment' });
  };
  for (const [place, name] of names.entries()) {
    checkVariable(name, 'environment', 'NAME or NAME=value');
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
