import { getConfigAll, type PromiseFsClient } from 'isomorphic-git';
import { readRegularFile } from '#world/file/regular-file.ts';

/** A git configuration file, read without git and without its includes. */
export interface ConfigFile {
  /** Every value of a key such as `remote.origin.url`, in order. */
  values(key: string): Promise<string[]>;
  /** The subsections of a section: `x` for `[url "x"]`. */
  subsections(section: string): string[];
}

/** Reads a configuration file. One that is missing or not a regular file has no values. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const file = await readRegularFile(path, { maxBytes: 4 * 1024 * 1024, followLinks: true });
  const text = file?.content.toString('utf8') ?? '';
  const fs = fileSystemOf(text);
  return {
    values: async (key) => {
      const found: unknown[] = await getConfigAll({ fs, gitdir: '/', path: key }).catch(() => []);
      return found.filter((value): value is string => typeof value === 'string' && value !== '');
    },
    subsections: (section) => {
      const heads = text.matchAll(/^[ \t]*\[([A-Za-z0-9-]+)[ \t]+"((?:[^"\\\n]|\\.)*)"\]/gm);
      const names = [...heads].filter(([, name]) => name?.toLowerCase() === section).map(([, , sub = '']) => sub);
      return [...new Set(names.map((name) => name.replace(/\\(.)/g, '$1')))];
    },
  };
}

/**
 * A file system in which every file has this text, because isomorphic-git reads the configuration of a git directory.
 */
function fileSystemOf(text: string): PromiseFsClient {
  const refuse = (): Promise<never> => Promise.reject(new Error('this file system is read-only'));
  const stats = { isDirectory: () => true, isFile: () => false };
  return {
    promises: {
      readFile: async () => text,
      stat: async () => stats,
      lstat: async () => stats,
      readdir: async () => [],
      readlink: refuse,
      writeFile: refuse,
      unlink: refuse,
      mkdir: refuse,
      rmdir: refuse,
      symlink: refuse,
      chmod: refuse,
    },
  };
}
