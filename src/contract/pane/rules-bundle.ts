import { z } from 'zod';
import { HarnessFile, harnessNamePattern } from './harness-file.ts';

/** The name of the bundle's format. A bundle with another name is for another version of muster. */
export const bundleFormat = 'muster-rules/1';

/** The maximum size of a bundle, in bytes. */
export const maxBundleBytes = 4 * 1024 * 1024;

/** Bytes in base64. */
const Base64 = z.base64().min(1);

/** A file with signed rules. */
export const SignedBundle = z.strictObject({
  format: z.literal(bundleFormat),
  /** The fingerprint of the key that signed it. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  /** A `RulesBundle` as JSON, in base64: exactly the bytes that are signed. */
  payload: Base64,
  /** The Ed25519 signature of the format's name, a line feed and the payload's bytes, in base64. */
  signature: Base64,
});
export type SignedBundle = z.infer<typeof SignedBundle>;

/** Rules for harnesses, published independently of muster's releases. */
export const RulesBundle = z.strictObject({
  /** Grows with every bundle of a key, so that an older one is never installed as an update. */
  serial: z.int().positive(),
  /** The purpose of the bundle, for people. */
  about: z.string().max(1_000).optional(),
  /** The content of a rules file for each harness. */
  harnesses: z
    .record(z.string().regex(harnessNamePattern), HarnessFile)
    .refine((files) => Object.keys(files).length > 0, 'names no harness'),
});
export type RulesBundle = z.infer<typeof RulesBundle>;
