import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';
import { secondHost as joined } from './second-host.ts';

describe('hosts of launches', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  const secondHost = () => joined(fixture, 'hst_2');

  it('are chosen by harness, then by their number of agents', async () => {
    const second = await secondHost();
    second.harnesses = ['gemini', 'codex'];
    await second.beat();
    const gemini = { harness: 'gemini', provisionEnabled: false };
    expect((await fixture.create(gemini)).hostId).to.equal('hst_2');
    expect((await fixture.create(gemini)).hostId).to.equal('hst_2');
    expect((await fixture.create({ harness: 'claude' })).hostId).to.equal('hst_1');
    const codex = { harness: 'codex', provisionEnabled: false };
    expect((await fixture.create(codex)).hostId).to.equal('hst_1');
    expect(await failureOf(() => fixture.create({ harness: 'opencode' }))).to.have.property(
      'reason',
      'HARNESS_UNAVAILABLE',
    );
  });

  it('are chosen by name, by id, and by directory', async () => {
    const second = await secondHost();
    second.directories.set('/only-there', true);
    expect((await fixture.create({ host: 'hst_2' })).hostId).to.equal('hst_2');
    expect((await fixture.create({ host: 'hst_2.example' })).hostId).to.equal('hst_2');
    expect((await fixture.create({ dir: '/only-there' })).hostId).to.equal('hst_2');
    const failure = await failureOf(() => fixture.create({ dir: '/only-there', host: 'hst_1' }));
    expect(failure.code).to.equal('invalid_argument');
  });

  it('are skipped while silent in favour of another one with the directory', async () => {
    await secondHost();
    await fixture.host.fallSilent();
    expect((await fixture.create({ dir: '/repo' })).hostId).to.equal('hst_2');
  });

  it('are chosen again if the chosen one is cordoned while it is asked about the directory', async () => {
    await secondHost();
    const paused = Promise.withResolvers<void>();
    fixture.host.pause = paused.promise;
    const created = fixture.create({ dir: '/repo' });
    await moment('it is asked', () => fixture.host.directoriesAsked > 0);
    await fixture.call('DrainHost', { hostId: 'hst_1' });
    paused.resolve();
    expect((await created).hostId).to.equal('hst_2');
  });
});
