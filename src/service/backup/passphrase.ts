import { Failure } from '#contract/failure.ts';
import { readSecretFile } from '#world/file/private-file.ts';

/**
 * The passphrase in a file; undefined if no file is named.
 * @throws INVALID_USAGE when the file is missing or empty, SECRET_EXPOSED when others may read it
 */
export function passphraseIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const passphrase = readSecretFile(file)?.replace(/\r?\n$/, '');
  if (passphrase) return passphrase;
  throw new Failure(
    'INVALID_USAGE',
    `--passphrase-file is ${JSON.stringify(file)}, which is ${passphrase === undefined ? 'missing' : 'empty'}: write the ` +
      'passphrase there, readable by you alone (chmod 600)',
    { field: 'passphrase-file' },
  );
}
