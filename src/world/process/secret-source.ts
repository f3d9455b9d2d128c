import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { quoted } from '#contract/quoted.ts';
import { readRegularFile } from '#world/file/regular-file.ts';
import { runGroup } from '#world/process/group/process-group.ts';

const maxBytes = 64 * 1024;
/** How long a program may take to print a secret, in milliseconds. */
const commandTimeoutMs = 10_000;

/** The text of a secret's source, or the reason and the remedy if there is none. */
export type SourceText = { readonly text: string } | { readonly missing: string };

/** The environment and computer of a source. */
export type SourcePlace = 'registry' | 'host';

/** The text in an environment variable. */
export function textInEnv(name: string, env: NodeJS.ProcessEnv, place: SourcePlace): SourceText {
  const text = env[name];
  if (text) return { text };
  return {
    missing: `The environment variable ${name} is not set for the ${place}: set it and restart the ${place}`,
  };
}

/** The text in a file that only its owner may read. `~/` means the home folder. */
export async function textInFile(given: string, place: SourcePlace): Promise<SourceText> {
  const path = given.startsWith('~/') ? join(homedir(), given.slice(2)) : given;
  const file = await readRegularFile(path, { maxBytes, followLinks: true });
  if (file === undefined)
    return { missing: `The file ${given} cannot be read on the ${place}’s machine: correct the path` };
  if ((file.stats.mode & 0o077) !== 0) return { missing: `Others may read the file ${given}: chmod 600 it` };
  return { text: file.content.toString('utf8') };
}

/** The text that a program prints. It runs without a shell, in this environment. Its errors are not repeated. */
export async function textFromCommand(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  place: SourcePlace,
): Promise<SourceText> {
  const chunks: Buffer[] = [];
  let length = 0;
  const command = { file: program, args, cwd: '/', env, timeoutMs: commandTimeoutMs, onStderr: () => {} };
  const onStdout = (chunk: Buffer): void => {
    length += chunk.byteLength;
    if (length <= maxBytes) chunks.push(chunk);
  };
  const end = await runGroup({ ...command, onStdout }).catch(() => undefined);
  const name = `The program ${quoted(program)}`;
  if (end === undefined)
    return { missing: `${name} cannot be started on the ${place}’s machine: check that it is installed there` };
  if (end.timedOut) return { missing: `${name} printed no credential within ten seconds` };
  if (end.exitCode !== 0)
    return { missing: `${name} ended with ${end.exitCode ?? end.signal}: try it on the ${place}’s machine` };
  return { text: Buffer.concat(chunks).toString('utf8') };
}

/** Whether a path does not depend on the working directory. */
export function isFixedPath(path: string): boolean {
  return isAbsolute(path) || path.startsWith('~/');
}
