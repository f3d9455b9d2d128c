import { X509Certificate } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ensureCertificates } from '#service/network/certificate-files.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const day = 24 * 60 * 60_000;

describe('muster’s own certificate', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('own-tls');
  });
  afterEach(() => place.remove());
  const now = Date.UTC(2026, 10, 27);
  const names = ['localhost', 'central.example', '127.0.0.1', '192.0.2.7', '::1'];
  const keep = (all = names, at = now) => ensureCertificates(place.path, all, at);
  const read = (file: string) => new X509Certificate(readFileSync(file));

  it('is signed by its own authority, for all names and addresses, with keys that only their owner may read', async () => {
    const { authorityFile, certFile, keyFile } = await keep();
    const [authority, own] = [read(authorityFile), read(certFile)];
    expect(own.verify(authority.publicKey)).to.equal(true);
    expect([authority.ca, own.ca]).to.deep.equal([true, false]);
    expect(names.map((name) => own.checkHost(name) ?? own.checkIP(name))).to.deep.equal(names);
    for (const file of [keyFile, join(place.path, 'tls/ca.key')]) expect(statSync(file).mode & 0o777).to.equal(0o600);
    chmodSync(keyFile, 0o644);
    expect((await failureOf(keep)).reason).to.equal('SECRET_EXPOSED');
  });

  it('is kept until shortly before its end or a new machine name; the authority is kept permanently', async () => {
    const { authorityFile, certFile } = await keep();
    const before = [authorityFile, certFile].map((file) => readFileSync(file, 'utf8'));
    await keep(names, now + 300 * day);
    await keep(names.slice(1));
    expect([authorityFile, certFile].map((file) => readFileSync(file, 'utf8'))).to.deep.equal(before);
    const own = read(certFile).serialNumber;
    await keep([...names, 'other.example']);
    const renamed = read(certFile).serialNumber;
    await keep([...names, 'other.example'], now + 340 * day);
    expect(new Set([own, renamed, read(certFile).serialNumber]).size).to.equal(3);
    expect(readFileSync(authorityFile, 'utf8')).to.equal(before[0]);
  });
});
