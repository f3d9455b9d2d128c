import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import type { FakeHost } from '../fake-host.ts';
import { secondHost } from '../host/second-host.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('a host’s own harness', () => {
  let fixture: RegistryFixture;
  let second: FakeHost;

  before(async () => {
    fixture = await registryFixture();
    second = await secondHost(fixture, 'hst_2');
    second.harnesses = ['claude', 'house-agent'];
    await second.beat();
  });
  after(() => fixture.close());

  it('is accepted for a workflow, whose agents run on hosts that have it', async () => {
    const { id, harness } = await fixture.workflow({ harness: 'house-agent' });
    expect(harness).to.equal('house-agent');
    for (let count = 0; count < 3; count += 1) {
      expect((await fixture.create({ workflowId: id })).hostId).to.equal('hst_2');
    }
  });

  it('is refused if no host has it, with the available ones', async () => {
    const failure = await failureOf(() => fixture.workflow({ harness: 'their-agent' }));
    expect(failure.code).to.equal('invalid_argument');
    expect(failure.message).to.include('"their-agent"').and.include('shell, house-agent');
  });

  it('is refused for a host without it', async () => {
    const named = await failureOf(() => fixture.workflow({ harness: 'house-agent', host: 'hst_1' }));
    expect(named.code).to.equal('failed_precondition');
    expect(named.message).to.include('hst_1.example').and.include('muster harness check');
    const { id } = await fixture.workflow({ harness: 'house-agent' });
    second.harnesses = ['claude'];
    await second.beat();
    const later = await failureOf(() => fixture.create({ workflowId: id }));
    expect(later.code).to.equal('failed_precondition');
  });
});
