import { linkMode } from '#world/git/checkout/submodule-link.ts';
import { joinPaths } from '#world/git/repository/git-paths.ts';
import { lineOf } from '#world/git/repository/repository.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import type { ChangedEntry, FileSide } from './changed-entries.ts';

/** The changes of one file, without the header; `binary` if git treats the file as such. */
export interface Patch {
  readonly hunks: Buffer;
  readonly binary: boolean;
}

/**
 * The patches of files, in order. Git sees the files under numbers instead of their names, so that no name can be
 * misread and no attribute can hide a file. Only for files small enough to be read.
 */
export async function patchesOf(
  objects: Shadow,
  entries: readonly ChangedEntry[],
  context: number,
): Promise<readonly Patch[]> {
  const trees = await Promise.all([
    numbered(
      objects,
      entries.map((entry) => entry.old),
    ),
    numbered(
      objects,
      entries.map((entry) => entry.new),
    ),
  ]);
  // The repository could set a size from which git treats a file as binary.
  const args = ['-c', 'core.bigFileThreshold=1g', 'diff-tree', '-p', '--no-renames', '--full-index', '--no-color'];
  const options = ['--no-ext-diff', '--no-textconv', '--diff-algorithm=histogram', `-U${context}`];
  const { stdout } = await objects.git([...args, ...options, ...trees, '--'], { timeoutMs: 60_000 });
  const sections = sectionsOf(stdout);
  return entries.map((entry, index) => sections.get(index) ?? { hunks: linkPatch(entry), binary: false });
}

/**
 * A tree whose files are named by their position. All of them are regular files in it, so that a link that became a
 * file shows as one change.
 */
async function numbered(objects: Shadow, sides: readonly (FileSide | undefined)[]): Promise<string> {
  const lines = sides.flatMap((side, index) =>
    side === undefined || side.mode === linkMode ? [] : [`100644 blob ${side.oid}\t${index}`],
  );
  return lineOf(await objects.git(['mktree', '-z', '--missing'], { input: joinPaths(lines) }));
}

/** Git's output, split by file. Lines of a file begin with a marker, so none can look like a header. */
function sectionsOf(output: Buffer): Map<number, Patch> {
  const sections = new Map<number, Patch>();
  const starts: number[] = [];
  const head = 'diff --git a/';
  for (let at = output.indexOf(head); at >= 0; at = output.indexOf(`\n${head}`, at)) {
    if (at > 0) at += 1;
    starts.push(at);
  }
  for (const [place, start] of starts.entries()) {
    const section = output.subarray(start, starts[place + 1] ?? output.length);
    const index = Number.parseInt(section.subarray(head.length, head.length + 12).toString('latin1'), 10);
    const hunks = section.indexOf('\n@@ ');
    const binary = hunks < 0 && section.includes('\nBinary files ');
    sections.set(index, { hunks: hunks < 0 ? Buffer.alloc(0) : section.subarray(hunks + 1), binary });
  }
  return sections;
}

/** The change of a submodule's commit; empty for any other file whose content is the same. */
function linkPatch({ old, new: now }: ChangedEntry): Buffer {
  const line = (sign: string, side: FileSide | undefined): string =>
    side?.mode === linkMode ? `${sign}Subproject commit ${side.oid}\n` : '';
  const lines = line('-', old) + line('+', now);
  if (lines === '' || old?.oid === now?.oid) return Buffer.alloc(0);
  return Buffer.from(
    `@@ -${old?.mode === linkMode ? '1' : '0,0'} +${now?.mode === linkMode ? '1' : '0,0'} @@\n${lines}`,
  );
}
