import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { expect } from 'chai';
import tar from 'tar-stream';
import { readArchive, writeArchive } from '#service/backup/archive.ts';
import type { Manifest } from '#service/backup/manifest.ts';
import { failureOf } from '#test/support/failure.ts';
import { isSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const contents: Readonly<Record<string, string>> = {
  'muster.db': 'SQLite '.repeat(50_000),
  'operator.token': 'planted-token',
  'rules/claude.json': '{}',
};

type Entry = Partial<tar.Header> & Pick<tar.Header, 'name'>;

function manifestOf(files: Readonly<Record<string, string>>): Manifest {
  return {
    format: 'muster-backup-1',
    version: '0.1.0',
    installation: 'one',
    takenAt: '2026-01-02T03:04:05.000Z',
    machine: 'here',
    database: 'sqlite',
    files: Object.entries(files).map(([name, text]) => ({
      name,
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    })),
  };
}

describe('a backup file', () => {
  let folder: TemporaryFolder;
  let path: string;
  let unpacked: string;

  beforeEach(() => {
    folder = temporaryFolder('archive');
    path = join(folder.path, 'one.backup');
    unpacked = join(folder.path, 'unpacked');
    mkdirSync(join(folder.path, 'rules'));
    mkdirSync(unpacked);
    for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder.path, name), text);
  });
  afterEach(() => folder.remove());

  const write = (passphrase?: string) =>
    writeArchive({ path, passphrase, workFactor: 10 }, manifestOf(contents), folder.path);
  const read = (passphrase?: string) => readArchive({ path, passphrase }, unpacked);
  const refused = async (passphrase?: string) => (await failureOf(() => read(passphrase))).reason;

  async function expectWhole(passphrase?: string): Promise<void> {
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(readFileSync(path, 'latin1').startsWith('age-encryption.org/v1')).to.equal(passphrase !== undefined);
    expect(await read(passphrase)).to.deep.equal(manifestOf(contents));
    for (const [name, text] of Object.entries(contents)) {
      expect(readFileSync(join(unpacked, name), 'utf8'), name).to.equal(text);
      expect(statSync(join(unpacked, name)).mode & 0o777, name).to.equal(0o600);
    }
  }

  it('returns its content, unencrypted', async () => {
    await write();
    await expectWhole();
  });

  it('returns its content, encrypted, and is refused with a wrong passphrase or none', async () => {
    await write('correct horse');
    await expectWhole('correct horse');
    expect(await refused('wrong horse')).to.equal('PASSPHRASE_WRONG');
    expect(await refused()).to.equal('PASSPHRASE_WRONG');
  });

  it('overwrites nothing', async () => {
    writeFileSync(path, 'mine');
    const error = await write().catch((thrown: NodeJS.ErrnoException) => thrown);
    expect(error).to.include({ code: 'EEXIST' });
    expect(readFileSync(path, 'utf8')).to.equal('mine');
  });

  for (const passphrase of [undefined, 'correct horse'])
    it(`is refused after a changed byte or a truncation, ${passphrase ? 'encrypted' : 'in the clear'}`, async () => {
      await write(passphrase);
      const whole = readFileSync(path);
      // To derive a key takes most of a second of processor time.
      const parts = passphrase === undefined || isSoak ? [0, 0.2, 0.5, 0.8] : [0, 0.5];
      // The header of gzip has bytes that say nothing about the content.
      const places = parts.map((part) => Math.max(12, Math.floor(part * whole.length)));
      for (const place of [...places, whole.length - 6]) {
        const changed = Buffer.from(whole);
        changed.writeUInt8(changed.readUInt8(place) ^ 0x41, place);
        writeFileSync(path, changed);
        const reason = await failureOf(() => readArchive({ path, passphrase })).then((failure) => failure.reason);
        expect(reason, `byte ${place}`).to.be.oneOf(['BACKUP_UNREADABLE', 'PASSPHRASE_WRONG']);
      }
      for (const end of [0, 1, 100, whole.length - 1]) {
        writeFileSync(path, whole);
        truncateSync(path, end);
        const reason = await failureOf(() => readArchive({ path, passphrase })).then((failure) => failure.reason);
        expect(reason, `first ${end} bytes`).to.be.oneOf(['BACKUP_UNREADABLE', 'PASSPHRASE_WRONG']);
      }
    });

  const forge = async (manifest: unknown, entries: readonly Entry[], text = 'x') => {
    const pack = tar.pack();
    pack.entry({ name: 'manifest.json' }, JSON.stringify(manifest));
    for (const entry of entries) pack.entry(entry, entry.type === 'symlink' ? '' : text);
    pack.finalize();
    await pipeline(pack, createGzip(), createWriteStream(path));
  };

  it('is refused if its paths are not an installation’s, wherever they lead', async () => {
    for (const name of [
      '../../evil',
      '/etc/evil',
      'rules/../../evil',
      'run/bus-host.creds',
      'worktrees/x',
      'rules/a/b',
    ]) {
      await forge(manifestOf({ 'muster.db': 'x', [name]: 'x' }), [{ name: 'muster.db' }, { name }]);
      expect(await refused(), name).to.equal('BACKUP_UNREADABLE');
      await forge(manifestOf({ 'muster.db': 'x' }), [{ name }]);
      expect(await refused(), `${name}, which its manifest does not list`).to.equal('BACKUP_UNREADABLE');
    }
    expect(existsSync(join(folder.path, 'evil'))).to.equal(false);
  });

  it('is refused with links, with extra or missing files, and with longer ones', async () => {
    const manifest = manifestOf({ 'muster.db': 'x' });
    await forge(manifest, [{ name: 'muster.db', type: 'symlink', linkname: '/etc/passwd' }]);
    expect(await refused()).to.equal('BACKUP_UNREADABLE');
    await forge(manifest, [{ name: 'muster.db' }, { name: 'forge.key' }]);
    expect(await refused()).to.equal('BACKUP_UNREADABLE');
    await forge(manifestOf({ 'operator.token': 'x', 'host.id': 'x' }), [{ name: 'operator.token' }]);
    expect(await refused()).to.equal('BACKUP_UNREADABLE');
    await forge(manifestOf({ 'forge.key': 'x' }), [{ name: 'forge.key' }], 'x'.repeat(1_000_000));
    expect(await refused()).to.equal('BACKUP_UNREADABLE');
  });

  it('is refused for any other format', async () => {
    for (const text of ['', 'plain text', '{"format":"muster-backup-1"}']) {
      writeFileSync(path, text);
      const { reason, message } = await failureOf(() => readArchive({ path, passphrase: undefined }));
      expect(reason, text).to.equal('BACKUP_UNREADABLE');
      expect(message).to.include(text === '' ? 'it is cut off' : 'it is not a muster backup');
    }
    await forge({ ...manifestOf({ 'muster.db': 'x' }), format: 'muster-backup-2' }, [{ name: 'muster.db' }]);
    expect(await refused()).to.equal('BACKUP_UNREADABLE');
  });
});
