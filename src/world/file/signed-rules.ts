import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import { bundleFormat, RulesBundle, SignedBundle } from '#contract/pane/rules-bundle.ts';
import { type TrustedKey, trusted } from './trusted-keys.ts';

/** A bundle whose signature was verified. */
export interface VerifiedBundle {
  /** The fingerprint of the key that signed it. */
  readonly key: string;
  readonly bundle: RulesBundle;
}

/**
 * Reads a bundle of rules, but only after its signature by a trusted key has been verified.
 * @throws INVALID_ARGUMENT when it is not a bundle, FAILED_PRECONDITION when no trusted key has signed it
 */
export function openBundle(path: string, text: string, keys: readonly TrustedKey[]): VerifiedBundle {
  const { key, payload, signature } = envelopeIn(path, text);
  const known = keys.find(({ fingerprint }) => fingerprint === key);
  if (known === undefined) {
    throw new Failure(
      'RULES_NOT_TRUSTED',
      `${path} is signed with the key ${key}, which you do not trust: get that key from its publisher and run ` +
        '`muster rules trust KEYFILE`',
    );
  }
  const bytes = Buffer.from(payload, 'base64');
  if (!verify(null, signedText(bytes), known.key, Buffer.from(signature, 'base64'))) {
    throw new Failure('RULES_NOT_TRUSTED', `${path} was changed after ${key} signed it: its signature does not match`);
  }
  return { key, bundle: bundleIn(path, bytes.toString('utf8')) };
}

/** Signs rules with a private key in PEM. @throws INVALID_ARGUMENT */
export function signBundle(bundle: RulesBundle, pem: string): string {
  const secret = privateKeyIn(pem);
  const { fingerprint } = trusted(createPublicKey(secret));
  const bytes = Buffer.from(JSON.stringify(bundle), 'utf8');
  const signature = sign(null, signedText(bytes), secret).toString('base64');
  const signed: SignedBundle = { format: bundleFormat, key: fingerprint, payload: bytes.toString('base64'), signature };
  return `${JSON.stringify(signed, null, 2)}\n`;
}

function privateKeyIn(pem: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Failure('RULES_KEY_INVALID', 'it does not contain a private key in PEM without a passphrase');
  }
}

/** The signed bytes. The format's name prevents reuse of the key's signatures for other purposes. */
function signedText(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bundleFormat}\n`), payload]);
}

function envelopeIn(path: string, text: string): SignedBundle {
  const value = jsonIn(path, text);
  const { format } = (typeof value === 'object' && value !== null ? value : {}) as { readonly format?: unknown };
  if (typeof format === 'string' && format.startsWith('muster-rules/') && format !== bundleFormat) {
    throw invalid(
      `${path} has the format ${JSON.stringify(format.slice(0, 40))}, which another version of muster reads`,
    );
  }
  const parsed = SignedBundle.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`${path} is not a signed bundle of rules: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
}

function bundleIn(path: string, text: string): RulesBundle {
  const parsed = RulesBundle.safeParse(jsonIn(path, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`${path} is invalid: ${issue?.path.join('.') || 'the bundle'}: ${issue?.message}`);
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`${path} is not a signed bundle of rules: it is not JSON`);
  }
}

function invalid(why: string): Failure {
  return new Failure('RULES_BUNDLE_INVALID', why);
}
