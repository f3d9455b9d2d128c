import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { hostKey } from '#actors/host/serve/identity.ts';
import { operatorToken } from '#actors/registry/access/agent-tokens.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { sealingBy } from '#world/forge/sealing.ts';

describe('a secret in a file that others may open', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('open-secrets');
  });
  afterEach(() => place.remove());

  for (const [file, use] of [
    ['operator.token', (home: string) => void operatorToken(home)],
    ['host.key', (home: string) => void hostKey(home)],
    ['forge.key', (home: string) => void sealingBy(join(home, 'forge.key')).seal('secret', 'about')],
  ] as const) {
    it(`is not used, and what to do is reported: ${file}`, async () => {
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
});
