import { printable } from '#contract/printable.ts';

interface NamedPaths {
  readonly count?: number | undefined;
  readonly names?: readonly string[] | undefined;
}

/** What a new worktree lacks of the directory that it is made from. */
interface Lacking {
  readonly changed?: NamedPaths | undefined;
  readonly untracked?: NamedPaths | undefined;
  readonly ignored?: NamedPaths | undefined;
  readonly submodules?: NamedPaths | undefined;
}

/** How each kind is brought along, as one way of launching names it. */
interface Ways {
  readonly changes: string;
  readonly submodules: string;
  readonly ignored: string;
}

/**
 * What a new worktree lacks and how the first kind of that is brought along, on one line; empty if it lacks nothing.
 */
export function leftBehindText({ changed, untracked, ignored, submodules }: Lacking, ways: Ways): string {
  const parts = [
    [changed, 'changed file', ways.changes],
    [untracked, 'untracked file', ways.changes],
    [submodules, 'submodule', ways.submodules],
    [ignored, 'ignored path', ways.ignored],
  ] as const;
  const lacked = parts.flatMap(([{ count = 0, names = [] } = {}, word, way]) =>
    count === 0 ? [] : [{ text: `${count} ${word}${count === 1 ? '' : 's'} (${namesText(names, count)})`, way }],
  );
  const [first] = lacked;
  return first === undefined ? '' : `Its worktree lacks ${lacked.map(({ text }) => text).join(', ')}: ${first.way}`;
}

function namesText(names: readonly string[], count: number): string {
  return `${names.map(printable).join(', ')}${count > names.length ? ', …' : ''}`;
}
