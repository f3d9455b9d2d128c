import { z } from 'zod';
import { HarnessFile, harnessNamePattern } from './harness-file.ts';

/** What a bundle calls its form; another one is of another version of muster. */
export const bundleFormat = 'muster-rules/1';

/** The largest bundle that is read, in bytes. */
export const maxBundleBytes = 4 * 1024 * 1024;

/** Bytes as base64 has them. */
const Base64 = z.base64().min(1);

/** A file of signed rules: what is signed, and by whom. */
export const SignedBundle = z.strictObject({
  format: z.literal(bundleFormat),
  /** The fingerprint of the key that it is signed with. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  /** A `RulesBundle` as JSON, in base64: the very bytes that are signed. */
  payload: Base64,
  /** Ed25519 of the format's name, a line end and the payload's bytes, in base64. */
  signature: Base64,
});
export type SignedBundle = z.infer<typeof SignedBundle>;

/** Rules for harnesses, without a release of muster. */
export const RulesBundle = z.strictObject({
  /** Grows with every bundle of a key: an older one is never taken for an update. */
  serial: z.int().positive(),
  /** For people: what it is for. */
  about: z.string().max(1_000).optional(),
  /** What a file of rules may hold, by the harness. */
  harnesses: z
    .record(z.string().regex(harnessNamePattern), HarnessFile)
    .refine((files) => Object.keys(files).length > 0, 'names no harness'),
});
export type RulesBundle = z.infer<typeof RulesBundle>;
