import { type LaunchAddition, noAddition } from './launch-addition.ts';

/** What a CLI's hooks report, by hook event. `{field}` stands for a field of the hook's payload. */
type Words = Readonly<Record<string, string>>;

/**
 * How a CLI is made to report what it does: always for one run only, never in a file of the person or the repository.
 */
export type Reports =
  /**
   * Hooks in settings in the format of Claude Code, passed in a flag. `sessionField` has the conversation's id.
   * `matchers` are regular expressions that restrict a hook to some kinds of its event.
   */
  | {
      readonly through: 'settings';
      readonly words: Words;
      readonly sessionField: string;
      readonly matchers?: Readonly<Record<string, string>>;
    }
  /** Hooks in Codex's configuration, passed in flags, with further flags that trust them. */
  | { readonly through: 'config'; readonly words: Words; readonly sessionField: string }
  /** opencode's plugin, named in the configuration that it reads from its environment. */
  | { readonly through: 'plugin' }
  /** It does not report, because a person does not want it. */
  | { readonly through: 'nothing' }
  /** It needs nothing: the first character of the window's title shows it. */
  | { readonly through: 'title'; readonly words: Words };

/** The programs that hooks call, by their absolute paths. */
export interface ReportPrograms {
  /** Called by a hook with its report; returns at once. */
  readonly report: string;
  /** The plugin of opencode. */
  readonly plugin: string;
}

/** The key of a Codex hook, and the hash of its definition. */
export interface CodexHook {
  readonly key: string;
  readonly hash: string;
}

/** How long a hook may take, in seconds, the unit of the CLIs. It returns within milliseconds. */
const timeout = 3;

/** What a launch needs so that its CLI reports. */
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

/** The arguments that make Codex trust hooks, as it does after a person has reviewed them. */
export function trustIn(hooks: readonly CodexHook[]): string[] {
  const states = hooks.map(({ key, hash }) => `${JSON.stringify(key)}={trusted_hash=${JSON.stringify(hash)}}`);
  return hooks.length === 0 ? [] : ['-c', `hooks.state={${states.join(',')}}`];
}

/** What a window's title reports about its CLI; undefined if it reports nothing known. */
export function reportedByTitle(reports: Reports | undefined, title: string): string | undefined {
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
    // The hook must not fail in the CLI if muster was moved or removed.
    return [event, { type: 'command', command: `${call} 2>/dev/null || :`, timeout }];
  });
  return Object.fromEntries(hooks);
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
