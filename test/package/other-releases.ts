import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package of this checkout, unpacked, from which other releases are made until there are two real ones. */
export interface UnpackedPackage {
  readonly folder: string;
}

/** Has a gateway never get ready: by then the registry has changed the tables. */
export const brokenGateway = [/return runMember\(`gateway`,runGateway\)/, 'process.exit(3)'] as const;

/** Unpacks a package into a folder. */
export function unpack(tarball: string, folder: string): UnpackedPackage {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  return { folder: join(folder, 'package') };
}

/**
 * Packs an unpacked package as another release, and returns the file. `changes` are replacements in its program: each must apply
 * exactly once in all its files.
 */
export function packAs(
  { folder }: UnpackedPackage,
  version: string,
  into: string,
  changes: readonly (readonly [from: RegExp, to: string])[] = [],
): string {
  const before = new Map<string, string>();
  const write = (file: string, text: string): void => {
    if (!before.has(file)) before.set(file, readFileSync(file, 'utf8'));
    writeFileSync(file, text);
  };
  const manifest = join(folder, 'package.json');
  try {
    write(manifest, readFileSync(manifest, 'utf8').replace(/"version": "[^"]+"/, `"version": "${version}"`));
    for (const [from, to] of changes) {
      const [file, ...more] = programFiles(folder).filter((one) => from.test(readFileSync(one, 'utf8')));
      if (file === undefined || more.length > 0) throw new Error(`${from} is not in exactly one file of the program`);
      write(file, readFileSync(file, 'utf8').replace(from, to));
    }
    mkdirSync(into, { recursive: true });
    const tarball = join(into, `muster-${version}-${changes.length}.tgz`);
    execFileSync('tar', ['--use-compress-program=gzip -1', '-cf', tarball, '-C', join(folder, '..'), 'package']);
    return tarball;
  } finally {
    for (const [file, text] of before) writeFileSync(file, text);
  }
}

function programFiles(folder: string): readonly string[] {
  const program = join(folder, 'dist', 'package', 'program');
  return readdirSync(program)
    .filter((name) => /\.c?js$/.test(name))
    .map((name) => join(program, name));
}
