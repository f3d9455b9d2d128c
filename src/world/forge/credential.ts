import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { readRegularFile } from '#world/file/regular-file.ts';
import { runGroup } from '#world/process/process-group.ts';

const maxBytes = 64 * 1024;
/** How long a program may take to print a credential, in milliseconds. */
const commandTimeoutMs = 10_000;

/**
 * The credential in an environment variable.
 * @throws FAILED_PRECONDITION when it is not set
 */
export function credentialInEnv(name: string, env: NodeJS.ProcessEnv): string {
  const value = env[name];
  if (value) return checked(value, `The environment variable ${name}`);
  throw unready(`The environment variable ${name} is not set for the registry: set it and restart the registry`);
}

/**
 * The credential in a file of one line. `~/` means the home folder.
 * @throws FAILED_PRECONDITION when there is no such file, or others may read it
 */
export async function credentialInFile(given: string): Promise<string> {
  const path = given.startsWith('~/') ? join(homedir(), given.slice(2)) : given;
  const file = await readRegularFile(path, { maxBytes: maxBytes, followLinks: true });
  if (file === undefined) throw unready(`The file ${given} cannot be read on the registry’s machine: correct the path`);
  if ((file.stats.mode & 0o077) !== 0) throw unready(`Others may read the file ${given}: chmod 600 it`);
  return checked(file.content.toString('utf8'), `The file ${given}`);
}

/**
 * The credential that a program prints. It runs without a shell, in this environment.
 * @throws FAILED_PRECONDITION when it fails or takes longer than ten seconds. The message does not contain its output.
 */
export async function credentialFromCommand(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const end = await runGroup({
    file: program,
    args,
    cwd: '/',
    env,
    timeoutMs: commandTimeoutMs,
    onStdout: (chunk) => {
      length += chunk.byteLength;
      if (length <= maxBytes) chunks.push(chunk);
    },
    onStderr: () => {},
  }).catch(() => {
    throw unready(
      `The program ${quoted(program)} cannot be started on the registry’s machine: check that it is installed there`,
    );
  });
  if (end.timedOut) throw unready(`The program ${quoted(program)} printed no credential within ten seconds`);
  if (end.exitCode !== 0) {
    throw unready(
      `The program ${quoted(program)} ended with ${end.exitCode ?? end.signal}: try it on the registry’s machine`,
    );
  }
  return checked(Buffer.concat(chunks).toString('utf8'), `The output of the program ${quoted(program)}`);
}

/** Whether a text can be sent as a credential: one line of visible characters. */
export function isCredential(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Whether a path does not depend on the working directory. */
export function isFixedPath(path: string): boolean {
  return isAbsolute(path) || path.startsWith('~/');
}

function checked(text: string, what: string): string {
  const credential = text.trim();
  if (isCredential(credential)) return credential;
  throw unready(`${what} is not a credential: it must be one line without spaces`);
}

function unready(message: string): Failure {
  return new Failure('FORGE_CREDENTIAL_UNREADABLE', message);
}
