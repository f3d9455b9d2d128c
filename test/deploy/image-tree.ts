import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dockerfile = fileURLToPath(new URL('../../deploy/Dockerfile', import.meta.url));

/** The files of the image, in a folder. */
export interface ImageTree {
  /** The folder of what is on the image's PATH. */
  readonly programs: string;
  readonly entrypoint: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Lays out the last stage of the Dockerfile in a folder: what its `COPY` lines take from the build, the npm
 * package and one library, comes from this checkout, and its `RUN` line runs there, with the paths of that folder.
 */
export function layImage(folder: string): ImageTree {
  execFileSync(process.execPath, [join(root, 'bin', 'package.mjs')], { stdio: 'ignore' });
  const [home, programs] = [join(folder, 'muster'), join(folder, 'bin')];
  for (const made of [home, programs]) mkdirSync(made, { recursive: true });
  const text = readFileSync(dockerfile, 'utf8').replaceAll(/ *\\\n */g, ' ');
  const stage = text.slice(text.lastIndexOf('\nFROM '));
  for (const [, from = '', to = ''] of stage.matchAll(/^COPY --from=build \/opt\/muster\/(\S+) (\S+)$/gm))
    if (from === 'package') copyPackage(home);
    else copyAsDocker(join(root, from), join(home, to));
  for (const [, command = ''] of stage.matchAll(/^RUN (.+)$/gm)) {
    const placed = command
      .replaceAll('/usr/local/bin/node', process.execPath)
      .replaceAll('/usr/local/bin', programs)
      .replaceAll('/opt/muster', home)
      .replaceAll('/var/lib', join(folder, 'var'));
    execFileSync('/bin/sh', ['-ec', placed], { cwd: home });
  }
  const [, entrypoint = '[]'] = /^ENTRYPOINT (.+)$/m.exec(stage) ?? [];
  const variables = [...stage.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((one) => one.split('=')),
  );
  const environment = Object.fromEntries(variables) as Record<string, string>;
  return { programs, entrypoint: JSON.parse(entrypoint) as string[], environment };
}

/** Copies the files of the npm package. */
function copyPackage(home: string): void {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: readonly string[] };
  for (const pattern of ['package.json', 'bin/muster', ...files])
    for (const path of globSync(pattern, { cwd: root })) copyAsDocker(join(root, path), join(home, path));
}

/** Copies a file or folder with its modes, which Node does not keep for folders. */
function copyAsDocker(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  execFileSync('cp', ['-pR', from, to]);
}
