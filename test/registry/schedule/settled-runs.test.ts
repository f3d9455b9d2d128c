import { expect } from 'chai';
import { figuresSubject } from '#bus/subjects.ts';
import { RegistryFigures } from '#contract/wire/figures.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('a run that its launch has completed', () => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  it('counts as settled by its worker', async () => {
    const { id: workflowId } = await fixture.workflow({ provisionEnabled: false });
    const nightly = { name: 'nightly', cron: '0 * * * *', timezone: 'UTC', prompt: 'Tidy up', workflowId };
    await fixture.call('CreateSchedule', nightly);
    fixture.clock.pass(3_600_000);
    await fixture.host.beat();
    const firings = await moment('work that is done', async () => {
      const { workers } = RegistryFigures.parse(
        await fixture.gateway.request(figuresSubject, {}, { timeoutMs: 5_000 }),
      );
      return workers['firings'];
    });
    expect(firings).to.deep.equal({ settled: 1 });
  });
});
