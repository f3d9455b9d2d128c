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

/** What a process runs of a release. */
const shipped = ['package.json', 'bin', 'actors', 'bus', 'machines', 'src'];

/**
 * Packs this checkout, unpacks the tarball into a folder, and makes it another release: until there are two real ones,
 * that is what a previous or a later one differs in.
 */
export function packRelease(folder: string, { version, protocols }: Release): PackedRelease {
  const home = join(folder, 'package');
  mkdirSync(home, { recursive: true });
  const files = execFileSync('git', ['ls-files', '-z', ...shipped], { cwd: root });
  const tarball = join(folder, `muster-${version}.tgz`);
  execFileSync('tar', ['--null', '-czf', tarball, '-T', '-'], { cwd: root, input: files });
  execFileSync('tar', ['-xzf', tarball, '-C', home]);
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
