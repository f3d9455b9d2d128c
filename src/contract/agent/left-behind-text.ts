import { byteText } from '#contract/host/load-reading.ts';
import { printable } from '#contract/printable.ts';

interface NamedPaths {
  readonly count?: number | undefined;
  readonly names?: readonly string[] | undefined;
}

/** A path that a launch with changes does not copy. */
interface NotCopied {
  readonly path?: string | undefined;
  /** The reason's name, with or without its prefix. */
  readonly reason?: string | undefined;
  readonly bytes?: string | undefined;
}

/** What a new worktree lacks compared with the directory that it is made from. */
interface Lacking {
  readonly changed?: NamedPaths | undefined;
  readonly untracked?: NamedPaths | undefined;
  readonly ignored?: NamedPaths | undefined;
  readonly submodules?: NamedPaths | undefined;
  readonly notCopied?: readonly NotCopied[] | undefined;
  readonly notCopiedCount?: number | undefined;
}

/**
 * What a new worktree lacks, in one line; empty if it lacks nothing.
 * @param way how a launch would copy it too
 */
export function leftBehindText(lacking: Lacking, way: string): string {
  const parts = [
    [lacking.changed, 'changed file'],
    [lacking.untracked, 'untracked file'],
    [lacking.submodules, 'submodule'],
    [lacking.ignored, 'ignored path'],
  ] as const;
  const lacked = parts.flatMap(([{ count = 0, names = [] } = {}, word]) =>
    count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'} (${namesText(names, count)})`],
  );
  if (lacked.length > 0) return `Its worktree lacks ${lacked.join(', ')}: ${way}`;
  const { notCopied = [], notCopiedCount = notCopied.length } = lacking;
  return notCopied.length === 0 ? '' : `Not copied: ${namesText(notCopied.map(notCopiedText), notCopiedCount)}`;
}

function notCopiedText({ path = '', reason = '', bytes = '' }: NotCopied): string {
  const name = path.replace(/\/$/, '');
  switch (reason.replace(/^NOT_COPIED_REASON_/, '')) {
    case 'REPOSITORY':
      return `${name} (a repository of its own)`;
    case 'UNREADABLE':
      return `${name} (not readable)`;
    default:
      return `${name} (${byteText(Number(bytes))})`;
  }
}

function namesText(names: readonly string[], count: number): string {
  return `${names.map(printable).join(', ')}${count > names.length ? ', …' : ''}`;
}
