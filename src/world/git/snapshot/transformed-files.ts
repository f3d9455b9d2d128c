import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '#world/file/regular-file.ts';
import type { IndexContent } from '#world/git/checkout/own-index.ts';
import { bytesOf, joinPaths, splitPaths } from '#world/git/repository/git-paths.ts';
import { ownAttributes, plainAttributes, type Shadow, winningAttributes } from '#world/git/repository/shadow.ts';
import { readableFiles } from './snapshot-selection.ts';
import { type Transformation, transformationsOf } from './transformation.ts';

/** Larger files count as transformed without being read. */
const maxBytes = 64 * 1024 * 1024;
const walkMs = 120_000;
const atOnce = 32;

/** What `ident` has git leave out: everything between the dollar signs. */
const identified = /\$Id:[^$\n]*\$/g;
/** What git itself writes between the dollar signs. */
const byGit = /^\$Id: (?:[0-9a-f]{40}|[0-9a-f]{64}) \$$/;

/** Files that git stores with other content because of `ident` or `working-tree-encoding`. Latin-1 paths. */
export interface TransformedFiles {
  /** Files that git's conversion would damage: they must be stored byte for byte. */
  readonly opaque: readonly string[];
  /** Files that git can convert without loss: UTF-16 throughout, or only git's own text for `ident`. */
  readonly turnedBack: readonly string[];
  /** The folder with the content to store for `turnedBack`, made from the same bytes that were judged. */
  readonly folder: string;
}

/**
 * Sorts the files that git stores converted because of their attributes. The attributes are read once: if they or a
 * file change meanwhile, the file is stored as it is, or as it was when it was judged.
 * @param others files that the index does not know
 */
export async function transformedFiles(
  shadow: Shadow,
  workTree: string,
  others: readonly string[],
): Promise<TransformedFiles> {
  const attributes = await underList(shadow, await readFile(join(shadow.dir, ownAttributes)), async () => {
    const unspecified = ':(exclude,attr:!ident !working-tree-encoding)';
    const listed = await shadow.git(['ls-files', '--cached', '--deduplicate', '-z', '--', '.', unspecified], {
      env: { GIT_LITERAL_PATHSPECS: '0' },
      timeoutMs: walkMs,
    });
    return await transformationsOf(shadow, [...splitPaths(listed.stdout), ...others], walkMs);
  });
  const candidates = [...attributes].filter(([, { isIdentified, encoding }]) => isIdentified || encoding !== undefined);
  const folder = join(shadow.dir, `turned-back-${randomUUID()}`);
  const opaque: string[] = [];
  const turnedBack: string[] = [];
  for (let at = 0; at < candidates.length; at += atOnce) {
    const some = candidates.slice(at, at + atOnce);
    const found = await Promise.all(some.map(([path, by]) => judge(workTree, folder, path, by)));
    some.forEach(([path], index) => {
      if (found[index] === 'opaque') opaque.push(path);
      else if (found[index] === 'turned back') turnedBack.push(path);
    });
  }
  return { opaque, turnedBack, folder };
}

/** Judges one file. If it is `turnedBack`, writes the content to store below the folder. */
async function judge(
  workTree: string,
  folder: string,
  path: string,
  by: Transformation,
): Promise<'plain' | 'opaque' | 'turned back'> {
  const full = bytesOf(workTree, path);
  const stats = await lstat(full).catch(() => undefined);
  if (!stats?.isFile()) return 'plain';
  const file = await readRegularFile(full, { maxBytes, followLinks: false });
  const text = file && (by.encoding === undefined ? file.content : decoded(file.content, by.encoding));
  if (file === undefined || text === undefined) return 'opaque';
  const signed = by.isIdentified ? (text.toString('latin1').match(identified) ?? []) : [];
  if (signed.some((one) => !byGit.test(one))) return 'opaque';
  if (signed.length === 0 && text === file.content) return 'plain';
  const content = by.isIdentified ? Buffer.from(text.toString('latin1').replace(identified, '$$Id$$'), 'latin1') : text;
  const mode = (file.stats.mode & 0o111) === 0 ? 0o600 : 0o700;
  // The path may be too long there: storing the file byte for byte loses nothing either.
  return (await put(bytesOf(folder, path), content, mode).catch(() => 'opaque' as const)) ?? 'turned back';
}

async function put(path: Buffer, content: Buffer, mode: number): Promise<void> {
  await mkdir(path.subarray(0, path.lastIndexOf('/')), { recursive: true });
  await writeFile(path, content, { mode });
}

/**
 * Puts into the index the content that git would store for files that it converts. Their line endings are those of the
 * commit, as far as the attributes say so.
 * @param committed the content of the checked-out commit, by path
 */
export async function turnBack(
  shadow: Shadow,
  { turnedBack, folder }: TransformedFiles,
  committed: IndexContent['committed'],
): Promise<void> {
  if (turnedBack.length === 0) return;
  const before = turnedBack.flatMap((path) => {
    const entry = committed.get(path);
    return entry === undefined ? [] : [`${entry}\t${path}`];
  });
  // Whether git converts line endings depends on what the index has.
  await shadow.git(['update-index', '-z', '--index-info'], { input: joinPaths(before) });
  await shadow.git(['update-index', '--add', '-z', '--stdin'], {
    input: joinPaths(turnedBack),
    cwd: folder,
    env: { GIT_WORK_TREE: folder },
    timeoutMs: walkMs,
  });
}

/** The file in UTF-8; undefined if its encoding or its bytes are ambiguous. */
function decoded(content: Buffer, encoding: string): Buffer | undefined {
  const name = encoding.toUpperCase().replace('UTF-', 'UTF');
  if (name === 'UTF8') return content;
  const mark = content.subarray(0, 2).toString('hex');
  const hasMark = mark === 'fffe' || mark === 'feff';
  const isMarked = name === 'UTF16' || name === 'UTF16LE-BOM';
  if ((!isMarked && name !== 'UTF16LE' && name !== 'UTF16BE') || hasMark !== isMarked) return undefined;
  const isBig = name === 'UTF16BE' || (name === 'UTF16' && mark === 'feff');
  try {
    const little = isBig ? Buffer.from(content).swap16() : content;
    return Buffer.from(new TextDecoder('utf-16le', { fatal: true }).decode(little));
  } catch {
    return undefined;
  }
}

/** Puts files into the index byte for byte, whatever attributes say. Returns those that git could not read or store. */
export async function addVerbatim(shadow: Shadow, workTree: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const readable = await readableFiles(workTree, paths);
  const held = new Set(readable);
  await underList(shadow, `${plainAttributes} -text\n`, async () => {
    await shadow.git(['update-index', '--force-remove', '-z', '--stdin'], { input: joinPaths(readable) });
    if (!(await add(shadow, readable))) {
      for (const path of readable) if (!(await add(shadow, [path]))) held.delete(path);
    }
  });
  return paths.filter((path) => !held.has(path));
}

/** Runs work with another `info/attributes`, which overrides all other attributes. */
async function underList<T>(shadow: Shadow, list: string | Buffer, work: () => Promise<T>): Promise<T> {
  const file = join(shadow.dir, winningAttributes);
  const before = await readFile(file);
  await writeFile(file, list);
  try {
    return await work();
  } finally {
    await writeFile(file, before);
  }
}

async function add(shadow: Shadow, paths: readonly string[]): Promise<boolean> {
  const input = joinPaths(paths);
  const args = ['update-index', '--add', '--remove', '-z', '--stdin'];
  return (await shadow.git(args, { input, timeoutMs: walkMs, exitCodes: [0, 128] })).exitCode === 0;
}
