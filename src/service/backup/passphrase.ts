import { Failure } from '#contract/failure.ts';
import { readSecretFile } from '#world/file/private-file.ts';

/**
 * The passphrase in a file; undefined if no file is named.
 * @throws INVALID_ARGUMENT when the file is missing or empty, FAILED_PRECONDITION when others may read it
 */
export function passphraseIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const { passphrase, fault } = read(file);
  if (passphrase) return passphrase;
  throw new Failure(
    'INVALID_USAGE',
    `--passphrase-file is ${JSON.stringify(file)}, which ${fault}: write the passphrase there, readable only by you (chmod 600)`,
    { field: 'passphrase-file' },
  );
}

function read(file: string): { readonly passphrase?: string | undefined; readonly fault: string } {
  try {
    const passphrase = readSecretFile(file)?.replace(/\r?\n$/, '');
    return { passphrase, fault: passphrase === undefined ? 'is missing' : 'is empty' };
  } catch (error) {
    if (error instanceof Failure) throw error;
    return { fault: `cannot be read (${error instanceof Error ? error.message : String(error)})` };
  }
}
