import { credentialText, keyIn, readCredential, validityOf } from '#bus/identity/credential.ts';
import { signText } from '#bus/identity/nkey.ts';
import { Failure } from '#contract/failure.ts';
import type { OwnCertificates } from '#contract/joining/own-certificates.ts';
import { Certificates, joinPaths, renewalProofText } from '#contract/wire/host-joining.ts';
import { readSecretFile, writePrivateFile } from '#world/file/private-file.ts';
import { entranceWith } from './entrance-client.ts';
import { joinedFilesIn } from './joined-files.ts';
import { readJoined, writeJoined } from './joined-state.ts';

/** The certificates of a state folder that has joined; undefined for any other. */
export function ownCertificates(home: string): OwnCertificates | undefined {
  const joined = readJoined(home);
  if (joined === undefined) return undefined;
  const files = joinedFilesIn(home);
  const { url, certificate, hostId, installation } = joined;
  const keep = (certificates: Certificates): void => {
    const renewed = (['gateway', 'host'] as const).map((member) => {
      const { seed } = credentialIn(files[member]);
      const text = credentialText({ jwt: certificates[member], seed });
      if (keyIn(text) === keyIn(readSecretFile(files[member]) ?? '')) return { file: files[member], text };
      throw new Failure('INVALID_VALUE', `The registry certified another key than that in ${files[member]}`);
    });
    for (const { file, text } of renewed) writePrivateFile(file, text);
  };
  return {
    get validity() {
      return validityOf(credentialIn(files.host).jwt());
    },
    keep,
    async renewByProof() {
      const proof = signText(credentialIn(files.host).seed, renewalProofText(hostId, installation));
      keep(await entranceWith(url, certificate).ask(joinPaths.renew, { hostId, proof }, Certificates));
    },
    end: ({ message }) => writeJoined(home, { ...joined, ended: { message } }),
  };
}

function credentialIn(file: string) {
  const found = readCredential(readSecretFile(file) ?? '');
  if (found !== undefined) return found;
  throw new Failure(
    'BUS_NOT_CONFIGURED',
    `${file} has no credential of the bus: restore it, or join again with another state folder (MUSTER_HOME)`,
  );
}
