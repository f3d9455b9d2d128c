import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { busAccess } from '#service/bus-credentials.ts';
import { readConfig } from '#service/config.ts';
import { makeAuthority } from '#test/support/certificates.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('the way to the bus', () => {
  let place: TemporaryFolder;
  let passwords: string;
  beforeEach(() => {
    place = temporaryFolder('bus-credentials');
    passwords = join(place.path, 'bus.json');
    writeFileSync(passwords, '{"host": "sesame"}', { mode: 0o600 });
  });
  afterEach(() => place.remove());

  const access = (more: Readonly<Record<string, string>> = {}) => {
    const environment = { MUSTER_BUS_URL: 'tls://bus.example', MUSTER_BUS_CREDENTIALS: passwords, ...more };
    return busAccess(readConfig(environment), 'host');
  };
  const refusal = (more: Readonly<Record<string, string>> = {}) => failureOf(() => access(more));

  it('is a password that its owner alone may read', async () => {
    expect(access()).to.include({ busUser: 'host', busPassword: 'sesame' });
    for (const mode of [0o644, 0o640, 0o604, 0o620]) {
      chmodSync(passwords, mode);
      const { code, reason, message } = await refusal();
      expect({ code, reason }).to.deep.equal({ code: 'failed_precondition', reason: 'SECRET_EXPOSED' });
      expect(message)
        .to.include(`(mode ${mode.toString(8)}): chmod 600 ${passwords}`)
        .and.not.to.include('sesame');
    }
  });

  it('is an authority of one’s own where one is named, without whatever else is in its file', () => {
    const { cert, key } = makeAuthority(place.path);
    const file = join(place.path, 'all.pem');
    writeFileSync(file, `${readFileSync(key, 'utf8')}for the bus\n${readFileSync(cert, 'utf8')}`);
    const { busAuthority } = access({ MUSTER_BUS_CA: file });
    expect(busAuthority).to.equal(readFileSync(cert, 'utf8').trim());
    expect(access().busAuthority).to.equal(undefined);
  });

  it('is refused if that authority cannot be read, is none, or is damaged', async () => {
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
