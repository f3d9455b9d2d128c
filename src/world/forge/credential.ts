import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { type SourceText, textFromCommand, textInEnv, textInFile } from '#world/process/secret-source.ts';

/**
 * The credential in an environment variable.
 * @throws FAILED_PRECONDITION when it is not set
 */
export function credentialInEnv(name: string, env: NodeJS.ProcessEnv): string {
  return checked(textInEnv(name, env, 'registry'), `The environment variable ${name}`);
}

/**
 * The credential in a file of one line. `~/` means the home folder.
 * @throws FAILED_PRECONDITION when there is no such file, or others may read it
 */
export async function credentialInFile(given: string): Promise<string> {
  return checked(await textInFile(given, 'registry'), `The file ${given}`);
}

/**
 * The credential that a program prints. It runs without a shell, in this environment.
 * @throws FAILED_PRECONDITION when it fails or takes longer than ten seconds. The message does not contain its output.
 */
export async function credentialFromCommand(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const found = await textFromCommand(command, env, 'registry');
  return checked(found, `The output of the program ${quoted(command[0] ?? '')}`);
}

/** Whether a text can be sent as a credential: one line of visible characters. */
export function isCredential(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function checked(found: SourceText, what: string): string {
  if ('missing' in found) throw unready(found.missing);
  const credential = found.text.trim();
  if (isCredential(credential)) return credential;
  throw unready(`${what} is not a credential: it must be one line without spaces`);
}

function unready(message: string): Failure {
  return new Failure('FORGE_CREDENTIAL_UNREADABLE', message);
}
