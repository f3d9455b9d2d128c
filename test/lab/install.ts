import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LabCli } from './cli/definition.ts';

const run = promisify(execFile);
const ownFolder = fileURLToPath(new URL('../../.cache/lab', import.meta.url));

/** How long npm may take, in milliseconds. */
export const installMs = 15 * 60_000;

/**
 * The program of a CLI in the version that is known here, installed through npm on first use: into `.cache/lab/<name>`, or
 * into the same under the folder that MUSTER_TEST_CLIS names. It is 100 to 400 MB.
 * @throws Error where npm cannot install it
 */
export async function installedProgram(cli: LabCli): Promise<string> {
  const folder = join(process.env['MUSTER_TEST_CLIS'] || ownFolder, cli.harness);
  if (versionIn(folder, cli) !== cli.version) {
    const scratch = join(folder, 'scratch');
    mkdirSync(scratch, { recursive: true });
    if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const wanted = `${cli.package}@${cli.version}`;
    await run('npm', ['install', '--save-exact', '--no-audit', '--no-fund', '--loglevel=error', wanted], {
      cwd: folder,
      env: { ...process.env, ...placesIn(scratch) },
      timeout: installMs,
    });
    rmSync(scratch, { recursive: true, force: true });
  }
  const bin: unknown = packageIn(folder, cli)?.bin;
  const program = typeof bin === 'object' && bin !== null ? (bin as Record<string, string>)[cli.harness] : undefined;
  if (program === undefined) throw new Error(`${cli.package} in ${folder} brings no program ${cli.harness}`);
  return join(folder, 'node_modules', cli.package, program);
}

/** A CLI that starts itself once it is installed leaves what it writes here, and not with the person. */
function placesIn(scratch: string): Record<string, string> {
  const names = ['TMPDIR', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];
  return Object.fromEntries(names.map((name) => [name, scratch]));
}

interface Package {
  readonly version?: string;
  readonly bin?: unknown;
}

function packageIn(folder: string, cli: LabCli): Package | undefined {
  const file = join(folder, 'node_modules', cli.package, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Package) : undefined;
}

function versionIn(folder: string, cli: LabCli): string | undefined {
  return packageIn(folder, cli)?.version;
}
