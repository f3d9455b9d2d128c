import { type Dirent, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Mount } from './mount.ts';

/** Names of files in which programs keep logins, such as `credentials.toml` of `~/.cargo`. */
const files = [
  /^\.?credentials?(?:\.[a-z]+)?$/,
  /^\.?(?:npmrc|netrc|pypirc|condarc|pgpass|git-credentials|htpasswd)$/,
  /^\.?(?:auth|oauth_creds|secrets?|accounts?)\.(?:json|jsonc|toml|ya?ml|ini|cfg|conf|encrypted|db|txt)$/,
  /^\.env(?:\..*)?$/,
  /^\.git$/,
  /^id_[a-z0-9]+$/,
  /\.(?:pem|key|p12|pfx|keystore|kdbx)$/,
  /token(?!.*\.(?:py[co]?|[cm]?[jt]sx?|rb|pl|so|h|map|md)$)/,
];
/** Names of folders that hold logins, or a repository with its history and addresses. */
const folders = /^\.(?:git|ssh|gnupg|aws|azure|kube|docker)$/;

/** Whether something is named as what is secret, or belongs to a person. */
export function isSecretName(name: string, isFolder: boolean): boolean {
  const lower = name.toLowerCase();
  return isFolder ? folders.test(lower) : files.some((pattern) => pattern.test(lower));
}

/** Folders of packages, which are many and hold no settings of the person's. */
const packages = ['node_modules', 'site-packages'];

/** Hides what is named as a secret in a folder that is shown, and in the folders directly in it. */
export function secretsIn({ at, from = at }: Mount, depth = 1): Mount[] {
  if (packages.includes(basename(at))) return [];
  return entriesIn(from).flatMap((entry): Mount[] => {
    const [hidden, source] = [join(at, entry.name), join(from, entry.name)];
    const isSecret = isSecretName(entry.name, entry.isDirectory());
    if (entry.isFile()) return isSecret ? [{ at: hidden, from: '/dev/null', access: 'read' }] : [];
    if (!entry.isDirectory()) return [];
    if (isSecret) return [{ at: hidden, access: 'empty' }];
    return depth > 0 ? secretsIn({ at: hidden, from: source, access: 'read' }, depth - 1) : [];
  });
}

/** What is in a folder; nothing if it is none, or may not be read. */
export function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
