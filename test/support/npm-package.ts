import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How long npm may take, in milliseconds. */
export const installMs = 15 * 60_000;

/** A package in exactly one version, and the program that is wanted of it. */
export interface WantedPackage {
  readonly name: string;
  readonly version: string;
  readonly program: string;
}

/**
 * The path of a program that an npm package brings, installed on first use into its own folder.
 * @throws Error when npm cannot install it, or it brings no such program
 */
export async function installedProgram({ name, version, program }: WantedPackage, folder: string): Promise<string> {
  const installed = await installedPackage({ name, version }, folder);
  const bin: unknown = packageIn(folder, name)?.bin;
  const path = typeof bin === 'object' && bin !== null ? (bin as Record<string, string>)[program] : undefined;
  if (path === undefined) throw new Error(`${name} in ${folder} brings no program ${program}`);
  return join(installed, path);
}

/**
 * Where a package is, installed on first use into a folder of its own.
 * @throws Error when npm cannot install it
 */
export async function installedPackage(
  { name, version }: Omit<WantedPackage, 'program'>,
  folder: string,
): Promise<string> {
  if (packageIn(folder, name)?.version !== version) {
    const scratch = join(folder, 'scratch');
    mkdirSync(scratch, { recursive: true });
    if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    await run('npm', ['install', '--save-exact', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`], {
      cwd: folder,
      env: { ...process.env, ...placesIn(scratch) },
      timeout: installMs,
    });
    rmSync(scratch, { recursive: true, force: true });
  }
  return join(folder, 'node_modules', name);
}

/** A program that starts itself once it is installed leaves what it writes here, and not with the person. */
function placesIn(scratch: string): Record<string, string> {
  const names = ['TMPDIR', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];
  return Object.fromEntries(names.map((name) => [name, scratch]));
}

function packageIn(folder: string, name: string): { readonly version?: string; readonly bin?: unknown } | undefined {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version?: string; bin?: unknown }) : undefined;
}
