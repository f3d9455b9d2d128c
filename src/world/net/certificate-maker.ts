import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its private key, in PEM. */
export interface CertificateAndKey {
  readonly cert: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const day = 24 * 60 * 60_000;
/** How long an authority, and a certificate that it signs, are valid. Clients refuse the latter if it is over 398 days. */
const [authorityMs, certificateMs] = [20 * 365 * day, 397 * day];
/** By how much the clocks of machines may differ. */
const slack = day;

/** Makes a certificate authority that is valid for 20 years from a time, in milliseconds since 1970. */
export async function makeAuthority(name: string, now: number): Promise<CertificateAndKey> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=${name}`,
    notBefore: new Date(now - slack),
    notAfter: new Date(now + authorityMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: certificate.toString('pem'), key: await keyText(keys.privateKey) };
}

/** Has an authority sign a certificate of a server for names and IP addresses, valid for 397 days. */
export async function signCertificate(
  authority: CertificateAndKey,
  names: readonly string[],
  now: number,
): Promise<CertificateAndKey> {
  const keys = await newKeys();
  const signingKey = await readKey(authority.key);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: 'CN=muster',
    issuer: new X509Certificate(authority.cert).subject,
    notBefore: new Date(now - slack),
    notAfter: new Date(now + certificateMs),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ],
  });
  return { cert: certificate.toString('pem'), key: await keyText(keys.privateKey) };
}

// The library has the types of browsers, which lack the newest usages of Node's.
async function newKeys(): Promise<CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
}

async function readKey(text: string): Promise<CryptoKey> {
  const bytes = PemConverter.decodeFirst(text);
  return (await webcrypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign'])) as CryptoKey;
}

async function keyText(key: CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

/** A positive number of 16 bytes, in hex. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}
