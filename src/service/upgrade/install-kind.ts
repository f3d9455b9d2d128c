import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** How a copy of muster came to its folder. */
export type InstallKind =
  /** A clone of the repository, which git updates. */
  | { readonly kind: 'clone' }
  /** `npm install --global`: `prefix` is that of the npm. */
  | { readonly kind: 'global'; readonly prefix: string }
  /** npx, which may remove it at any time. */
  | { readonly kind: 'npx' }
  /** Files that something else put there, such as an image or another package. */
  | { readonly kind: 'other' };

/** How the copy of muster in a folder was installed. */
export function ownInstallKind(folder: string): InstallKind {
  const root = folder.replace(/\/+$/, '');
  if (existsSync(join(root, 'src', 'main.ts'))) return { kind: 'clone' };
  const modules = dirname(dirname(root));
  if (basename(modules) !== 'node_modules') return { kind: 'other' };
  if (basename(dirname(dirname(modules))) === '_npx') return { kind: 'npx' };
  const lib = dirname(modules);
  if (basename(lib) !== 'lib') return { kind: 'other' };
  return { kind: 'global', prefix: dirname(lib) };
}
