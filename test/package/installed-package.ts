import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** How long npm may take, in milliseconds. */
const npmMs = 10 * 60_000;

/** The package of this checkout, as `npm pack` makes it. */
export interface Tarball {
  readonly file: string;
  readonly bytes: number;
  readonly sha512: string;
  /** The paths of its files, sorted. */
  readonly paths: readonly string[];
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly integrity: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs this checkout into a folder. */
export async function packMuster(folder: string): Promise<Tarball> {
  mkdirSync(folder, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: checkout,
    timeout: npmMs,
    maxBuffer: 16 * 1024 * 1024,
  });
  // The output of `prepack` may come first.
  const listed = JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as readonly Packed[] | Record<string, Packed>;
  const [packed] = Object.values(listed);
  if (packed === undefined) throw new Error(`npm packed nothing: ${stdout}`);
  const { filename, size, integrity, files } = packed;
  return {
    file: join(folder, filename),
    bytes: size,
    sha512: integrity,
    paths: files.map(({ path }) => path).sort(),
  };
}

/** A package that `npm install --global` has installed, for nobody else. */
export interface InstalledPackage {
  /** What a person's PATH has. */
  readonly bin: string;
  readonly muster: string;
  /** The folder of the package itself. */
  readonly root: string;
  /** The environment of a person who has this package, Node and the system's programs, and a home of their own. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Installs a tarball, or a version, as a person does with an npm whose prefix is this folder. */
export async function installGlobally(spec: string, folder: string): Promise<InstalledPackage> {
  const prefix = join(folder, 'prefix');
  const home = join(folder, 'home');
  for (const made of [prefix, home]) mkdirSync(made, { recursive: true });
  const flags = [
    '--omit=optional',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  await run('npm', ['install', '--global', '--prefix', prefix, ...flags, spec], { timeout: npmMs });
  const bin = join(prefix, 'bin');
  const { TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return {
    bin,
    muster: join(bin, 'muster'),
    root: dirname(dirname(realpathSync(join(bin, 'muster')))),
    environment: {
      PATH: [bin, dirname(process.execPath), ...systemFolders].join(delimiter),
      HOME: home,
      npm_config_prefix: prefix,
      ...(TMPDIR !== undefined && { TMPDIR }),
      ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
    },
  };
}

const systemFolders = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin', '/bin', '/usr/sbin'].filter(existsSync);
