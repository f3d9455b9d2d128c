import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { readSecretFile, writePrivateFile } from '#world/file/private-file.ts';
import { joinedFilesIn } from './joined-files.ts';

/** How a state folder belongs to an installation on another machine. */
const JoinRecord = z.object({
  /** The gateway that it joined at, and the certificate that proves it; unset for those that this machine trusts. */
  url: z.string(),
  certificate: z.string().optional(),
  busUrl: z.string(),
  /** A file with the certificates of the CA of the bus; unset for the CAs that this machine trusts. */
  busAuthority: z.string().optional(),
  hostId: z.string(),
  name: z.string(),
  installation: z.string(),
  /** Why it no longer belongs to the installation. */
  ended: z.object({ message: z.string() }).optional(),
});
export type JoinRecord = z.infer<typeof JoinRecord>;

/** How a state folder belongs to another installation; undefined if it does not. @throws FILE_NOT_USABLE */
export function readJoined(home: string): JoinRecord | undefined {
  const { joined: file } = joinedFilesIn(home);
  const text = readSecretFile(file);
  if (text === undefined) return undefined;
  try {
    return JoinRecord.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure(
      'FILE_NOT_USABLE',
      `${file} does not say which installation this machine joined: restore it, or join with another state folder (MUSTER_HOME)`,
      { cause: error },
    );
  }
}

/** Records in a state folder that the machine has joined an installation. */
export function writeJoined(home: string, joined: JoinRecord): void {
  writePrivateFile(joinedFilesIn(home).joined, `${JSON.stringify(joined, undefined, 2)}\n`);
}

/** Why a machine no longer belongs to the installation that it joined; undefined if it does, or never joined one. */
export function whyEnded(home: string): Failure | undefined {
  const { ended } = readJoined(home) ?? {};
  return ended && new Failure('HOST_REMOVED', ended.message);
}
