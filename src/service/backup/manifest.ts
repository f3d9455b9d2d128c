import { z } from 'zod';
import { isContent } from './contents.ts';

/** The manifest's name in a backup, whose first entry it is. */
export const manifestEntry = 'manifest.json';

/** The largest manifest that is read, in bytes. */
export const maxManifestBytes = 1024 * 1024;

/** A file in a backup. */
const BackedUpFile = z.object({
  name: z.string().refine(isContent, 'is no file of an installation'),
  /** Its size in bytes. */
  bytes: z.int().nonnegative(),
  /** SHA-256 of its content, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type BackedUpFile = z.infer<typeof BackedUpFile>;

/** What a backup says of itself. */
export const Manifest = z.object({
  format: z.literal('muster-backup-1'),
  /** The version of muster that made it. */
  version: z.string(),
  /** The id of the installation. */
  installation: z.string(),
  /** The moment that it shows: RFC 3339, UTC. */
  takenAt: z.iso.datetime(),
  /** The name of the machine that made it. */
  machine: z.string(),
  /** What the installation's database ran on. */
  database: z.enum(['sqlite', 'postgres']),
  /** In the order in which they follow. */
  files: z.array(BackedUpFile).min(1),
});
export type Manifest = z.infer<typeof Manifest>;
