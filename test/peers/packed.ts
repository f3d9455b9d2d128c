import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A release as it differs from this checkout. */
export interface Release {
  readonly version: string;
  /** The versions of the messages on the bus that it speaks. */
  readonly protocols: { readonly min: number; readonly max: number };
}

/** A release that was packed and unpacked in a folder; runs its sources. */
export interface PackedRelease {
  /** The file that Node runs for any command of it. */
  readonly program: string;
}

/**
 * Packs this checkout as npm does, unpacks the tarball into a folder, and makes it another release: until there are two
 * real ones, that is what a previous or a later one differs in.
 */
export function packRelease(folder: string, { version, protocols }: Release): PackedRelease {
  mkdirSync(folder, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  const file = packed.trim().split('\n').at(-1) ?? '';
  execFileSync('tar', ['-xzf', join(folder, file), '-C', folder]);
  const home = join(folder, 'package');
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  edit(join(home, 'package.json'), /"version": "[^"]+"/, `"version": "${version}"`);
  const wire = join(home, 'src/contract/wire');
  edit(join(wire, 'host-condition.ts'), /hostProtocol = \d+/, `hostProtocol = ${protocols.max}`);
  edit(
    join(wire, 'protocol-range.ts'),
    /ownProtocols: ProtocolRange = \{ min: \d+/,
    `ownProtocols: ProtocolRange = { min: ${protocols.min}`,
  );
  return { program: join(home, 'bin/muster.mjs') };
}

function edit(file: string, from: RegExp, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (!from.test(text)) throw new Error(`${file} has nothing like ${from}`);
  writeFileSync(file, text.replace(from, to));
}
