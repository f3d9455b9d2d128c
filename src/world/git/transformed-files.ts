import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '../regular-file.ts';
import { bytesOf, joinPaths, splitPaths } from './git-paths.ts';
import type { Shadow } from './shadow.ts';
import { readableFiles } from './snapshot-selection.ts';

/** Larger ones are taken for transformed without a look. */
const maxBytes = 64 * 1024 * 1024;
const walkMs = 120_000;
const atOnce = 32;

/** What `ident` has git leave out: all that stands between the signs. */
const identified = /\$Id:[^$\n]*\$/g;
/** What git itself writes there. */
const byGit = /^\$Id: (?:[0-9a-f]{40}|[0-9a-f]{64}) \$$/;

/**
 * The files of a checkout that git would not store as they are, since an attribute (`ident`, `working-tree-encoding`) has it
 * store something else. Not among them are those in UTF-16 throughout, what git itself writes for `ident`, and line ends.
 * Latin-1 paths.
 * @param others files that the index does not know
 */
export async function transformedFiles(shadow: Shadow, workTree: string, others: readonly string[]): Promise<string[]> {
  const unspecified = ':(exclude,attr:!ident !working-tree-encoding)';
  const listed = await shadow.git(['ls-files', '--cached', '--deduplicate', '-z', '--', '.', unspecified], {
    env: { GIT_LITERAL_PATHSPECS: '0' },
    timeoutMs: walkMs,
  });
  const candidates = [...splitPaths(listed.stdout), ...others];
  const attributes = await attributesOf(shadow, candidates);
  const found: string[] = [];
  for (let at = 0; at < candidates.length; at += atOnce) {
    const some = candidates.slice(at, at + atOnce);
    const are = await Promise.all(some.map((path) => isTransformed(workTree, path, attributes.get(path))));
    found.push(...some.filter((_, index) => are[index]));
  }
  return found;
}

/** What attributes say of a file. */
interface Transformation {
  readonly isIdentified: boolean;
  readonly encoding: string | undefined;
}

async function isTransformed(workTree: string, path: string, by: Transformation | undefined): Promise<boolean> {
  const full = bytesOf(workTree, path);
  const stats = await lstat(full).catch(() => undefined);
  const isPlain = by === undefined || (!by.isIdentified && by.encoding === undefined);
  if (isPlain || !stats?.isFile()) return false;
  const file = await readRegularFile(full, { maxBytes, followLinks: false });
  if (file === undefined) return true;
  const text = by.encoding === undefined ? file.content.toString('latin1') : decoded(file.content, by.encoding);
  if (text === undefined) return true;
  return by.isIdentified && (text.match(identified) ?? []).some((one) => !byGit.test(one));
}

/** The text of a file; undefined where it is not the one way to write that text, or in an encoding that not all read alike. */
function decoded(content: Buffer, encoding: string): string | undefined {
  const name = encoding.toUpperCase().replace('UTF-', 'UTF');
  if (name === 'UTF8') return content.toString('latin1');
  const mark = content.subarray(0, 2).toString('hex');
  const hasMark = mark === 'fffe' || mark === 'feff';
  const isMarked = name === 'UTF16' || name === 'UTF16LE-BOM';
  if ((!isMarked && name !== 'UTF16LE' && name !== 'UTF16BE') || hasMark !== isMarked) return undefined;
  const isBig = name === 'UTF16BE' || (name === 'UTF16' && mark === 'feff');
  try {
    const little = isBig ? Buffer.from(content).swap16() : content;
    return new TextDecoder('utf-16le', { fatal: true }).decode(little);
  } catch {
    return undefined;
  }
}

/** Has the index hold files byte for byte as they are, whatever attributes say. Gives those that it could not read or store. */
export async function holdAsTheyAre(shadow: Shadow, workTree: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const readable = await readableFiles(workTree, paths);
  const list = join(shadow.dir, 'info/attributes');
  const before = await readFile(list).catch(() => Buffer.alloc(0));
  await writeFile(list, Buffer.concat([before, Buffer.from('\n* -text -ident -working-tree-encoding\n')]));
  const held = new Set(readable);
  try {
    await shadow.git(['update-index', '--force-remove', '-z', '--stdin'], { input: joinPaths(readable) });
    if (!(await add(shadow, readable))) {
      for (const path of readable) if (!(await add(shadow, [path]))) held.delete(path);
    }
  } finally {
    await writeFile(list, before);
  }
  return paths.filter((path) => !held.has(path));
}

async function add(shadow: Shadow, paths: readonly string[]): Promise<boolean> {
  const input = joinPaths(paths);
  const args = ['update-index', '--add', '--remove', '-z', '--stdin'];
  return (await shadow.git(args, { input, timeoutMs: walkMs, exitCodes: [0, 128] })).exitCode === 0;
}

async function attributesOf(shadow: Shadow, paths: readonly string[]): Promise<ReadonlyMap<string, Transformation>> {
  if (paths.length === 0) return new Map();
  const args = ['check-attr', '-z', '--stdin', 'ident', 'working-tree-encoding'];
  const fields = splitPaths((await shadow.git(args, { input: joinPaths(paths), timeoutMs: walkMs })).stdout);
  const attributes = new Map<string, Transformation>();
  for (let at = 0; at + 5 < fields.length; at += 6) {
    const [path = '', , ident = '', , , encoding = ''] = fields.slice(at, at + 6);
    const isEncoded = encoding !== 'unspecified' && encoding !== 'unset';
    attributes.set(path, { isIdentified: ident === 'set', encoding: isEncoded ? encoding : undefined });
  }
  return attributes;
}
