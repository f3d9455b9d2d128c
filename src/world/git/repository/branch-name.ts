import { Failure } from '#contract/failure.ts';

const longest = 60;
/** The maximum length of a part of a branch name (a file system's limit) and of the whole name, in bytes. */
const longestRead = 512;

/** The branch of an agent's worktree: `muster/<slug>-<id>`, for any slug. */
export function branchName(slug: string, id: string): string {
  const words = slug
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/-{2,}/g, '-')
    .slice(0, longest)
    .replace(/^[-._]+|[-._]+$/g, '');
  const suffix = id.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+/, '');
  if (suffix === '') throw new Failure('INVALID_BRANCH_NAME', `"${id}" has no character that a branch name can have`);
  return words === '' ? `muster/${suffix}` : `muster/${words}-${suffix}`;
}

/**
 * Checks that git reads a text as a name, not as an option or a revision expression: only letters, digits and
 * `. _ / @ + -` are allowed, by git's own rules for references.
 * @throws INVALID_ARGUMENT
 */
export function requireRefName(name: string, what: 'branch' | 'base' | 'agent'): void {
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9._/@+-]{0,511}$/.test(name);
  const isOdd = /\.\.|\/\/|\/\.|@\{|\.lock(\/|$)|[./]$/.test(name);
  if (!isPlain || isOdd || (what !== 'base' && (name === 'HEAD' || name === '@'))) {
    throw new Failure(
      'INVALID_BRANCH_NAME',
      `"${name}" is not a valid ${what} name: use letters, digits and . _ / + -, such as feature/login`,
    );
  }
}

/** Whether a text is a valid branch name by git's rules for references, and not too long to show. */
export function isBranchName(text: string): boolean {
  const isOdd = /[\p{Cc} ~^:?*[\\\ufffd]|\.\.|@\{|\.$/u.test(text) || text === '@';
  const areParts = text.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
  return !isOdd && areParts && Buffer.byteLength(text) <= longestRead;
}
