import { posix } from 'node:path';
import type { ApprovalPattern } from '#contract/approval/approval-rule.ts';
import { matchesGlob } from '#world/glob.ts';
import { hostName } from '#world/net/host-name.ts';
import { commandsWithin, simpleCommand } from '#world/shell-command.ts';
import { isDangerous, startsAnother } from './starts-another.ts';

/** Whether a text as a whole matches a pattern. */
export function matchText(text: string, { exact, glob, expression }: ApprovalPattern): boolean {
  if (exact !== undefined) return text === exact;
  if (glob !== undefined) return matchesGlob(text, glob, 'word');
  return matchExpression(text, expression ?? '');
}

/** Whether a host matches a pattern. Its name has no case, and may end in a dot. */
export function matchHost(host: string, { exact, glob, expression }: ApprovalPattern): boolean {
  const name = hostName(host);
  if (exact !== undefined) return name === hostName(exact);
  if (glob !== undefined) return matchesGlob(name, hostName(glob), 'word');
  return new RegExp(`^(?:${expression})$`, 'iu').test(name);
}

function matchExpression(text: string, expression: string): boolean {
  return new RegExp(`^(?:${expression})$`, 'u').test(text);
}

/**
 * Whether a rule agrees to a command: its exact text, or one simple command that does not merely start another one, or
 * run a text.
 */
export function agreesToCommand(command: string, pattern: ApprovalPattern): boolean {
  if (pattern.exact !== undefined) return command === pattern.exact;
  const words = simpleCommand(command);
  if (words === undefined || startsAnother(words[0])) return false;
  const globs = pattern.glob?.trim().split(/ +/) ?? [];
  // What the rule spells out is meant.
  if (words.some((word, at) => at > 0 && globs[at] !== word && isDangerous(words, at))) return false;
  if (pattern.glob !== undefined)
    return matchWords(words, globs) && !words.some((word, at) => climbs(word, globs[at] ?? '*'));
  const { expression = '' } = pattern;
  return matchExpression(command, expression) && !words.some((word) => leadsOut(word, expression));
}

/** Whether a word that a glob names a part of leads out of that by `..`, without being spelt out. */
function climbs(word: string, glob: string): boolean {
  return glob !== '*' && !glob.includes('..') && word.split(/[/=:]/).includes('..');
}

/** Whether a word leads out of a folder that an expression may name, without being spelt out there. */
function leadsOut(word: string, expression: string): boolean {
  if (expression.includes('\\.\\.')) return false;
  const parts = word.split(/[/=:]/);
  return expression.includes('/') ? parts.includes('..') : parts.lastIndexOf('..') > 0;
}

/** Whether words match the globs of a pattern, of which a last `*` stands for any further words. */
function matchWords(words: readonly string[], globs: readonly string[]): boolean {
  const { fixed, isOpen } = partsOf(globs);
  if (isOpen ? words.length < fixed.length : words.length !== fixed.length) return false;
  return fixed.every((glob, at) => matchWord(words[at] ?? '', glob));
}

function partsOf(globs: readonly string[]): { readonly fixed: readonly string[]; readonly isOpen: boolean } {
  const isOpen = globs.at(-1) === '*' && globs.length > 1;
  return { fixed: isOpen ? globs.slice(0, -1) : globs, isOpen };
}

/** Whether a word matches a glob. A wildcard in a path leads neither into a folder below nor out of the named one. */
function matchWord(word: string, glob: string): boolean {
  return matchesGlob(word, glob, glob.includes('/') ? 'path' : 'word');
}

/**
 * Whether a rule refuses, or leaves to a person, any command in a text: each part of it, whatever it is wrapped in, and
 * every row of it, in case the text was not read as a whole.
 */
export function refusesCommand(text: string, pattern: ApprovalPattern): boolean {
  const folded = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  const rows = folded.split('\n');
  const texts = [...new Set([folded, ...rows, rows.join(' '), rows.join('')])];
  const found = texts.flatMap((one) => [one, ...commandsWithin(one)]);
  // A file system may ignore the case of a program's name.
  const parts = found.flatMap((part) => [part, part.replace(/^\s*\S+/, (program) => program.toLowerCase())]);
  return [...new Set(parts)].some((part) => {
    if (pattern.exact !== undefined) return part.trim() === pattern.exact;
    if (pattern.glob === undefined) return matchExpression(part, pattern.expression ?? '');
    return matchWords(part.trim().split(/ +/), pattern.glob.trim().split(/ +/));
  });
}

/** Where a file is, as its host resolved it. */
export interface ResolvedPath {
  /** The absolute path without `.` and `..`, and the same with links followed. */
  readonly absolute: string;
  readonly resolved: string;
  /** The agent's directory, and the same with links followed. */
  readonly folder: string;
  readonly resolvedFolder: string;
}

/** Files and folders that decide what a CLI, git or a build tool runs: a pattern agrees to them only if it names them. */
const sensitive: ReadonlySet<string> = new Set([
  ...['.git', '.gitmodules', '.gitattributes', '.github', '.husky', '.pre-commit-config.yaml', '.mcp.json', '.envrc'],
  ...['.vscode', '.idea', '.zed', '.devcontainer', '.ssh', '.npmrc', '.yarnrc', '.yarnrc.yml', '.cargo', '.bazelrc'],
  ...['.claude', '.codex', '.gemini', '.qwen', '.opencode', '.copilot', '.cursor', '.kilo', '.kilocode', '.muster'],
  ...['opencode.json', 'opencode.jsonc', 'kilo.json', 'kilo.jsonc', '.amp', '.aider.conf.yml', '.factory', '.pi'],
]);

/** A name as file systems compare it that ignore case, and characters that are not seen. */
function folded(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
}

/** Whether a rule agrees to a file: both its path and where links lead must match. */
export function agreesToPath(place: ResolvedPath, pattern: ApprovalPattern): boolean {
  const forms = [
    inFolder(place.absolute, place.folder, pattern),
    inFolder(place.resolved, place.resolvedFolder, pattern),
  ];
  const named = (pattern.exact ?? pattern.glob ?? '').split('/');
  const matches = forms.map((form) => {
    if (form === undefined) return false;
    if (form.split('/').some((part) => sensitive.has(folded(part)) && !named.includes(part))) return false;
    return matchPath(form, pattern);
  });
  return !matches.includes(false);
}

/** Whether a rule refuses a file, or leaves it to a person: if any way to name it matches. */
export function refusesPath(path: string, place: ResolvedPath | undefined, pattern: ApprovalPattern): boolean {
  const forms = [path];
  if (place !== undefined) {
    const { absolute, resolved, folder, resolvedFolder } = place;
    forms.push(absolute, resolved, posix.relative(folder, absolute), posix.relative(resolvedFolder, resolved));
  }
  return forms.some((form) => matchPath(form, pattern));
}

/** A path as a pattern names it: absolute, or relative to the folder it is in; undefined if it is not in it. */
function inFolder(path: string, folder: string, { exact, glob, expression }: ApprovalPattern): string | undefined {
  if (/^\^?\\?\//.test(exact ?? glob ?? expression ?? '')) return path;
  const relative = posix.relative(folder, path);
  return relative === '' || relative === '..' || relative.startsWith('../') ? undefined : relative;
}

function matchPath(path: string, { exact, glob, expression }: ApprovalPattern): boolean {
  if (exact !== undefined) return path === exact;
  if (glob !== undefined) return matchesGlob(path, glob, 'path');
  return matchExpression(path, expression ?? '');
}
