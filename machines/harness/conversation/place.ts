/** Where a CLI keeps its conversations, as data. */
export interface ConversationPlace {
  /** The variable that names the CLI's folder, if it is set. */
  readonly variable?: string;
  /** The CLI's folder otherwise, relative to the person's home. */
  readonly folder: string;
  /**
   * The files of one conversation, relative to the CLI's folder. `{sessionId}` stands for its id, `{folder}` for the
   * directory that the CLI runs in, `*` for any part of a name, and `**` as the last part for all files below.
   */
  readonly files: readonly string[];
  /** How the CLI spells a directory as a name: `dashes` in place of everything but letters and digits. */
  readonly spelling?: 'dashes';
  /** The JSON field of a line that names the directory, which differs on another host. */
  readonly cwdField?: string;
}

/** A conversation: its id, and the directory that its CLI runs in. */
export interface ConversationName {
  readonly sessionId: string;
  readonly cwd: string;
}

/** A name that can be part of a path and leads nowhere else. */
const plainName = /^(?!\.{1,2}$)[A-Za-z0-9._+@=,-]{1,255}$/;
const sessionName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** Whether a conversation's id can be part of a file's name and matches nothing else. */
export function isPlainSession(sessionId: string): boolean {
  return sessionName.test(sessionId);
}

/** The parts of the pattern with this number, with everything but `*` and `**` filled in; undefined if there is none. */
export function patternOf(
  { files, spelling }: ConversationPlace,
  number: number,
  { sessionId, cwd }: ConversationName,
): readonly string[] | undefined {
  const folder = spelling === 'dashes' ? cwd.replace(/[^A-Za-z0-9]/g, '-') : cwd;
  return files[number]
    ?.split('/')
    .map((part) => part.replaceAll('{sessionId}', sessionId).replaceAll('{folder}', folder));
}

/** What the wildcards of a part stand for in a name; undefined if the name does not match. */
export function capturesOf(part: string, name: string): readonly string[] | undefined {
  if (!plainName.test(name)) return undefined;
  const source = part.split('*').map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('(.*)')}$`).exec(name)?.slice(1);
}

/**
 * The path that a pattern stands for with these names in place of its wildcards, in parts. Undefined if it would lead
 * elsewhere: nothing of what another host names is trusted.
 */
export function filledPattern(parts: readonly string[], names: readonly string[]): readonly string[] | undefined {
  const left = [...names];
  const filled = parts.flatMap((part) => {
    if (part === '**') return left.splice(0);
    return [part.replaceAll('*', () => left.shift() ?? '/')];
  });
  const isPlain = left.length === 0 && filled.length > 0 && filled.every((part) => plainName.test(part));
  return isPlain && (parts.at(-1) !== '**' || filled.length >= parts.length) ? filled : undefined;
}
