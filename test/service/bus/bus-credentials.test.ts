import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeBusKeys } from '#bus/identity/bus-keys.ts';
import { nameIn } from '#bus/identity/credential.ts';
import { busAccess } from '#service/bus/bus-credentials.ts';
import { readConfig } from '#service/config.ts';
import { writeCredential } from '#test/bus/nats-fixture.ts';
import { makeAuthority } from '#test/support/certificates.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('the credentials for the bus', () => {
  let place: TemporaryFolder;
  const keys = makeBusKeys();
  let credentials: string;
  beforeEach(async () => {
    place = temporaryFolder('bus-credentials');
    credentials = await writeCredential(join(place.path, 'host.creds'), keys, { kind: 'host', hostId: 'hst_1' });
  });
  afterEach(() => place.remove());

  const access = (more: Readonly<Record<string, string>> = {}) => {
    const environment = { MUSTER_BUS_URL: 'tls://bus.example', MUSTER_BUS_CREDENTIALS: credentials, ...more };
    return busAccess(readConfig(environment), 'host');
  };
  const refusal = (more: Readonly<Record<string, string>> = {}) => failureOf(() => access(more));

  it('are readable only by their owner', async () => {
    const { busMember, busCredential } = await access();
    expect(busMember).to.deep.equal({ kind: 'host', hostId: 'hst_1' });
    expect(nameIn(busCredential.jwt())).to.equal('hst_1');
    for (const mode of [0o644, 0o640, 0o604, 0o620]) {
      chmodSync(credentials, mode);
      const { code, reason, message } = await refusal();
      expect({ code, reason }).to.deep.equal({ code: 'failed_precondition', reason: 'SECRET_EXPOSED' });
      expect(message)
        .to.include(`(mode ${mode.toString(8)}): chmod 600 ${credentials}`)
        .and.not.to.include(busCredential.seed);
    }
  });

  it('are refused if invalid, of another kind of process, or in the address', async () => {
    const noCredential = join(place.path, 'empty.creds');
    writeFileSync(noCredential, 'nothing', { mode: 0o600 });
    const gateways = await writeCredential(join(place.path, 'gateway.creds'), keys, { kind: 'gateway' });
    for (const [more, words] of [
      [{ MUSTER_BUS_CREDENTIALS: noCredential }, 'has no credential of the bus'],
      [{ MUSTER_BUS_CREDENTIALS: join(place.path, 'none.creds') }, 'has no credential of the bus'],
      [{ MUSTER_BUS_CREDENTIALS: gateways }, 'is the credential of gateway, and not of a host'],
      [{ MUSTER_BUS_URL: 'tls://host:sesame@bus.example' }, 'leave the user out'],
    ] as const) {
      const { code, reason, message } = await refusal(more);
      expect({ code, reason }, words).to.deep.equal({ code: 'failed_precondition', reason: 'BUS_NOT_CONFIGURED' });
      expect(message).to.include(words).and.not.to.include('sesame');
    }
  });

  it('include the named authority only, without the rest of its file', async () => {
    const { cert, key } = makeAuthority(place.path);
    const file = join(place.path, 'all.pem');
    writeFileSync(file, `${readFileSync(key, 'utf8')}for the bus\n${readFileSync(cert, 'utf8')}`);
    const { busAuthority } = await access({ MUSTER_BUS_CA: file });
    expect(busAuthority).to.equal(readFileSync(cert, 'utf8').trim());
    expect((await access()).busAuthority).to.equal(undefined);
  });

  it('are refused if that authority is unreadable, missing or damaged', async () => {
    const { cert, key } = makeAuthority(place.path);
    const damaged = join(place.path, 'damaged.pem');
    writeFileSync(damaged, readFileSync(cert, 'utf8').replace(/\n[^-]{20}/, '\n'));
    for (const [file, words] of [
      [join(place.path, 'nothing.pem'), 'cannot be read (ENOENT)'],
      [place.path, 'cannot be read (EISDIR)'],
      [key, 'has no certificate'],
      [damaged, 'has a certificate that cannot be read'],
    ] as const) {
      const { code, message } = await refusal({ MUSTER_BUS_CA: file });
      expect(code).to.equal('failed_precondition');
      expect(message).to.include(`${file} (MUSTER_BUS_CA) ${words}`);
    }
  });
});
