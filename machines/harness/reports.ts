import { type LaunchAddition, noAddition } from './launch-addition.ts';

/**
 * What a CLI's hooks report, by the hook's event. `{field}` stands for a field of the hook's payload.
 */
type Words = Readonly<Record<string, string>>;

/**
 * How a CLI is made to report what it is doing: always for one run, never in a file of the person or the repository.
 */
export type Reports =
  /**
   * Hooks in a settings file of Claude Code's form, given as a flag. `sessionField` holds the conversation's id;
   * `matchers` says of which kinds of an event its hook is called, as a regular expression: all without one.
   */
  | {
      readonly through: 'settings';
      readonly words: Words;
      readonly sessionField: string;
      readonly matchers?: Readonly<Record<string, string>>;
    }
  /** Hooks in Codex's configuration, given as flags; it wants to hear with them that they are trusted. */
  | { readonly through: 'config'; readonly words: Words; readonly sessionField: string }
  /** opencode's plugin, named in the configuration that it takes from its environment. */
  | { readonly through: 'plugin' }
  /** It is not: a person does not want it. */
  | { readonly through: 'nothing' }
  /** Nothing is given: the first character of the window's title shows it. */
  | { readonly through: 'title'; readonly words: Words };

/** The programs that hooks call, by their absolute paths. */
export interface ReportPrograms {
  /** Is called by a hook with what it reports, and returns at once. */
  readonly report: string;
  /** The plugin of opencode. */
  readonly plugin: string;
}

/** What a hook of Codex is known by, and the hash of what it does. */
export interface CodexHook {
  readonly key: string;
  readonly hash: string;
}

/** How long a hook may take, in seconds, as the CLIs count: it returns within milliseconds. */
const timeout = 3;

/** What a launch needs for its CLI to report. */
export function launchAddition(reports: Reports | undefined, { report, plugin }: ReportPrograms): LaunchAddition {
  if (reports?.through === 'settings') {
    const { matchers = {} } = reports;
    const hooks = Object.entries(hooksOf(reports, report)).map(([event, hook]) => [
      event,
      [{ ...(Object.hasOwn(matchers, event) && { matcher: matchers[event] }), hooks: [hook] }],
    ]);
    return { args: ['--settings', JSON.stringify({ hooks: Object.fromEntries(hooks) })], env: {} };
  }
  if (reports?.through === 'config') {
    const args = Object.entries(hooksOf(reports, report)).flatMap(([event, { type, command }]) => [
      '-c',
      `hooks.${event}=[{hooks=[{type=${JSON.stringify(type)},command=${JSON.stringify(command)},timeout=${timeout}}]}]`,
    ]);
    return { args, env: {} };
  }
  if (reports?.through === 'plugin') {
    return { args: [], env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ plugin: [`file://${encodeURI(plugin)}`] }) } };
  }
  return noAddition;
}

/** The arguments by which Codex takes hooks for trusted, as it does once a person has looked at them. */
export function trustIn(hooks: readonly CodexHook[]): string[] {
  const states = hooks.map(({ key, hash }) => `${JSON.stringify(key)}={trusted_hash=${JSON.stringify(hash)}}`);
  return hooks.length === 0 ? [] : ['-c', `hooks.state={${states.join(',')}}`];
}

/** What a window's title says of its CLI; undefined if it says nothing that is known. */
export function saidByTitle(reports: Reports | undefined, title: string): string | undefined {
  if (reports?.through !== 'title') return undefined;
  const [first = ''] = title.trimStart();
  return Object.hasOwn(reports.words, first) ? reports.words[first] : undefined;
}

interface Hook {
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
}

function hooksOf(
  { words, sessionField }: { readonly words: Words; readonly sessionField: string },
  program: string,
): Record<string, Hook> {
  const hooks = Object.entries(words).map(([event, says]): [string, Hook] => {
    const call = [program, says, sessionField].map(shellWord).join(' ');
    // The hook must not fail in the CLI if muster has been moved or removed.
    return [event, { type: 'command', command: `${call} 2>/dev/null || :`, timeout }];
  });
  return Object.fromEntries(hooks);
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
