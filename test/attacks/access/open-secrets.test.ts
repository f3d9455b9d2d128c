import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { hostKey } from '#actors/host/serve/identity.ts';
import { operatorToken } from '#actors/registry/access/agent-tokens.ts';
import { requireClosed } from '#contract/access/secret-file.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { secretCipher } from '#world/file/secret-cipher.ts';

describe('a secret in a file that others may open', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('open-secrets');
  });
  afterEach(() => place.remove());

  for (const [file, use] of [
    ['operator.token', (home: string) => void operatorToken(home)],
    ['host.key', (home: string) => void hostKey(home)],
    ['forge.key', (home: string) => void secretCipher(join(home, 'forge.key')).seal('secret', 'about')],
  ] as const) {
    it(`is refused with the remedy: ${file}`, async () => {
      use(place.path);
      use(place.path);
      for (const mode of [0o640, 0o604, 0o660, 0o601]) {
        chmodSync(join(place.path, file), mode);
        const failure = await failureOf(() => use(place.path));
        expect(failure.reason).to.equal('SECRET_EXPOSED');
        expect(failure.message).to.include(`chmod 600 ${join(place.path, file)}`);
      }
      chmodSync(join(place.path, file), 0o600);
      use(place.path);
    });
  }

  it('is accepted if root granted it to a process of another user through its group, as Kubernetes does', () => {
    const [root, service, other] = [0, 1_000, 1_001];
    const isUsed = (mode: number, uid: number, reader: number): boolean => {
      try {
        requireClosed({ path: '/run/secrets/one', mode: 0o100_000 | mode, uid, reader });
        return true;
      } catch {
        return false;
      }
    };
    for (const mode of [0o400, 0o440, 0o600, 0o640])
      expect(isUsed(mode, root, service), mode.toString(8)).to.equal(true);
    for (const mode of [0o444, 0o644, 0o660, 0o650])
      expect(isUsed(mode, root, service), mode.toString(8)).to.equal(false);
    for (const [uid, reader] of [
      [root, root],
      [service, service],
      [other, service],
    ] as const)
      expect(isUsed(0o640, uid, reader), `${uid} read by ${reader}`).to.equal(false);
  });
});
