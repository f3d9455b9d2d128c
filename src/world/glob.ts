import picomatch from 'picomatch';

/** What separates the parts that a `*` stays within: `/` of a path, or nothing. */
export type GlobOf = 'path' | 'word';

/** Whether a text matches a glob: `*`, `?`, `[…]` and, in paths, `**`. Braces and extended globs are plain text. */
export function matchesGlob(text: string, glob: string, of: GlobOf): boolean {
  if (of === 'word') return picomatch.isMatch(text, glob, { ...options, bash: true });
  return picomatch.isMatch(text, glob, options);
}

const options = {
  dot: true,
  nobrace: true,
  noextglob: true,
  nonegate: true,
  noquantifiers: true,
  posix: false,
  windows: false,
  strictSlashes: true,
} as const;
