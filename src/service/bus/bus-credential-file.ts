import { type BusKeys, certify, makeMemberKey } from '#bus/identity/bus-keys.ts';
import { credentialText } from '#bus/identity/credential.ts';
import type { BusMember } from '#contract/access/bus-member.ts';
import { writePrivateFile } from '#world/file/private-file.ts';

/** Writes a new credential of a member into a private file, in the form of NATS. */
export async function writeCredential(file: string, keys: BusKeys, member: BusMember): Promise<void> {
  const { publicKey, seed } = makeMemberKey();
  writePrivateFile(file, credentialText({ jwt: await certify(keys, member, publicKey), seed }));
}
