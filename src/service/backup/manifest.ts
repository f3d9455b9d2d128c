import { z } from 'zod';
import { isContent } from './contents.ts';

/** The name of the manifest in a backup. It is the first entry. */
export const manifestEntry = 'manifest.json';

/** The maximum size of a manifest, in bytes. */
export const maxManifestBytes = 1024 * 1024;

/** A file in a backup. */
const BackedUpFile = z.object({
  name: z.string().refine(isContent, 'is not a file of an installation'),
  /** Its size in bytes. */
  bytes: z.int().nonnegative(),
  /** SHA-256 of its content, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type BackedUpFile = z.infer<typeof BackedUpFile>;

/** The description of a backup. */
export const Manifest = z.object({
  format: z.literal('muster-backup-1'),
  /** The version of muster that made it. */
  version: z.string(),
  /** The id of the installation. */
  installation: z.string(),
  /** The time that it shows: RFC 3339, UTC. */
  takenAt: z.iso.datetime(),
  /** The name of the computer that made it. */
  machine: z.string(),
  /** The state folder there; undefined in backups of earlier versions. */
  home: z.string().optional(),
  /** The kind of the installation's database. */
  database: z.enum(['sqlite', 'postgres']),
  /** In the order of the entries. */
  files: z.array(BackedUpFile).min(1),
});
export type Manifest = z.infer<typeof Manifest>;
