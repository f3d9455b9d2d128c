import { createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, openSync, readSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import tar from 'tar-stream';
import { Failure } from '#contract/failure.ts';
import { isDiskFault } from '#contract/file-fault.ts';
import { Manifest, manifestEntry, maxManifestBytes } from './manifest.ts';
import { PassphraseIdentity, PassphraseRecipient } from './passphrase-key.ts';

/** The beginning of an encrypted backup: the first line of age's format. */
const encryptedStart = 'age-encryption.org/v1';

/** A backup file to write or read. */
export interface Archive {
  readonly path: string;
  /** The passphrase that encrypts it; undefined if it is not encrypted. */
  readonly passphrase: string | undefined;
  /** The work factor of scrypt for a file to write, as an exponent of 2; by default that of age. */
  readonly workFactor?: number;
}

/**
 * Writes a backup to a new file that only its owner may read.
 * @param folder the folder with the files of the manifest
 */
export async function writeArchive(archive: Archive, manifest: Manifest, folder: string): Promise<void> {
  const pack = tar.pack();
  const packed = addAll(pack, manifest, folder).catch((error: unknown) => {
    pack.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  const zipped = pack.pipe(createGzip());
  pack.on('error', (error) => zipped.destroy(error));
  const bytes =
    archive.passphrase === undefined ? zipped : await encrypted(zipped, archive.passphrase, archive.workFactor);
  await pipeline(bytes, createWriteStream(archive.path, { flags: 'wx', mode: 0o600, flush: true }));
  await packed;
}

async function addAll(pack: tar.Pack, manifest: Manifest, folder: string): Promise<void> {
  const mtime = new Date(manifest.takenAt);
  pack.entry({ name: manifestEntry, mode: 0o600, mtime }, JSON.stringify(manifest));
  for (const { name, bytes: size } of manifest.files) {
    await pipeline(createReadStream(join(folder, name)), pack.entry({ name, size, mode: 0o600, mtime }));
  }
  pack.finalize();
}

async function encrypted(bytes: Readable, passphrase: string, workFactor: number | undefined): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(new PassphraseRecipient(passphrase, workFactor));
  return fromWeb(await encrypter.encrypt(toWeb(bytes)));
}

/**
 * Reads a backup completely and compares each file with the manifest. With `folder`, the files are written there.
 * @throws DATA_LOSS when it is not a backup, is truncated or was changed, PERMISSION_DENIED when it is encrypted with
 *   another passphrase
 */
export async function readArchive(archive: Archive, folder?: string): Promise<Manifest> {
  const bytes = createReadStream(archive.path);
  // Whoever reads it gets the error. It may also be refused before it is open, when it has no reader yet.
  bytes.on('error', () => undefined);
  try {
    const plain = await decrypted(bytes, archive);
    const extract = tar.extract();
    const [manifest] = await Promise.all([
      readEntries(extract, archive.path, folder),
      pipeline(plain, createGunzip(), extract),
    ]);
    return manifest;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw isDiskFault(error) ? error : unreadable(archive.path, whyUnreadable(error), error);
  } finally {
    bytes.destroy();
  }
}

async function decrypted(bytes: Readable, { path, passphrase }: Archive): Promise<Readable> {
  if (!isEncrypted(path)) return bytes;
  const refused = (why: string, cause?: unknown): Failure =>
    new Failure('PASSPHRASE_WRONG', `${path} is encrypted: ${why} (--passphrase-file FILE)`, { cause });
  if (passphrase === undefined) throw refused('name the file with its passphrase');
  const decrypter = new Decrypter();
  decrypter.addIdentity(new PassphraseIdentity(passphrase));
  try {
    return fromWeb(await decrypter.decrypt(toWeb(bytes)));
  } catch (error) {
    throw refused('the passphrase is wrong', error);
  }
}

/** Whether a backup is encrypted. */
function isEncrypted(path: string): boolean {
  const start = Buffer.alloc(encryptedStart.length);
  const file = openSync(path, 'r');
  try {
    readSync(file, start, 0, start.length, 0);
  } finally {
    closeSync(file);
  }
  return start.toString('latin1') === encryptedStart;
}

async function readEntries(extract: tar.Extract, path: string, folder: string | undefined): Promise<Manifest> {
  let manifest: Manifest | undefined;
  let read = 0;
  for await (const entry of extract) {
    const { name, type } = entry.header;
    if (manifest === undefined) {
      if (name !== manifestEntry)
        throw unreadable(path, `it is not a muster backup, because it begins with ${JSON.stringify(name)}`);
      manifest = await readManifest(entry, path);
      continue;
    }
    const expected = manifest.files[read];
    if (type !== 'file' || expected?.name !== name)
      throw unreadable(path, `${JSON.stringify(name)} is not at the place that its manifest gives`);
    const sha256 = await readFile(bytesOf(entry, expected.bytes), folder && join(folder, name));
    if (sha256 !== expected.sha256) throw unreadable(path, `${name} differs from its manifest`);
    read += 1;
  }
  if (manifest === undefined || read < manifest.files.length) throw unreadable(path, 'it is cut off');
  return manifest;
}

/** Reads an entry, writes it to a new file if one is named, and returns its digest. */
async function readFile(bytes: AsyncIterable<Uint8Array>, path: string | undefined): Promise<string> {
  const hash = createHash('sha256');
  const file = path === undefined ? undefined : await openNew(path);
  try {
    for await (const chunk of bytes) {
      hash.update(chunk);
      await file?.writeFile(chunk);
    }
    await file?.sync();
  } finally {
    await file?.close();
  }
  return hash.digest('hex');
}

async function openNew(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return open(path, 'wx', 0o600);
}

/** The content of an entry. @throws RangeError when it is too long */
async function* bytesOf(entry: AsyncIterable<unknown>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of entry) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('Expected bytes in a backup entry');
    read += chunk.length;
    if (read > maxBytes) throw new RangeError(`it has a file of more than ${maxBytes} bytes`);
    yield chunk;
  }
}

async function readManifest(entry: AsyncIterable<unknown>, path: string): Promise<Manifest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytesOf(entry, maxManifestBytes)) chunks.push(chunk);
  const { success, data } = Manifest.safeParse(parsed(Buffer.concat(chunks).toString('utf8')));
  if (!success) throw unreadable(path, 'its manifest is not one of this version of muster');
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why a file is no whole backup: what the libraries that unpack it say is of no help. */
function whyUnreadable(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  if (/^(?:unexpected end of (?:file|data)|Unexpected end of data)/i.test(said)) return 'it is cut off';
  if (/incorrect header check|invalid tar header/i.test(said)) return 'it is not a muster backup';
  return said;
}

function unreadable(path: string, why: string, cause?: unknown): Failure {
  return new Failure('BACKUP_UNREADABLE', `${path} cannot be restored: ${why}. Nothing was written`, { cause });
}

function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}

/** Node's and the DOM's ReadableStream types differ, but are the same object. */
function fromWeb(stream: ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
}
