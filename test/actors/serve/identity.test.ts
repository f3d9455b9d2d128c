import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { certifiedHostId, hostId } from '#actors/host/serve/identity.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('the id of a host', () => {
  let home: TemporaryFolder;
  beforeEach(() => {
    home = temporaryFolder('identity');
  });
  afterEach(() => home.remove());

  it('is the one in its credential for the bus, and stays the same', () => {
    expect(certifiedHostId(home.path, 'hst_1')).to.equal('hst_1');
    expect(readFileSync(join(home.path, 'host.id'), 'utf8')).to.equal('hst_1\n');
    expect(hostId(home.path)).to.equal('hst_1');
  });

  it('does not follow another host’s credential, which is refused', async () => {
    const own = hostId(home.path);
    const { reason, message } = await failureOf(async () => certifiedHostId(home.path, 'hst_2'));
    expect(reason).to.equal('BUS_NOT_CONFIGURED');
    expect(message).to.include('hst_2').and.to.include(own);
    expect(hostId(home.path)).to.equal(own);
  });
});
