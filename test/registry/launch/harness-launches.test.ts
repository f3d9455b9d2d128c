import { expect } from 'chai';
import type { HarnessLaunch } from '#contract/host/host.ts';
import { failureOf } from '#test/support/failure.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const digest = 'a'.repeat(64);
const other = 'b'.repeat(64);

describe('launches of rules files', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    fixture = await registryFixture();
    fixture.host.launches.set('house', digest);
  });
  afterEach(() => fixture.close());

  const confirm = (request: object = {}) =>
    fixture.call<{ launch: HarnessLaunch }>('ConfirmHarness', {
      hostId: 'hst_1',
      harness: 'house',
      digest,
      ...request,
    });

  it('are valid once confirmed, of which the host is notified at once, with its beats and at its start', async () => {
    expect(fixture.host.confirmed).to.deep.equal({});
    expect((await confirm()).launch).to.deep.include({ digest, confirmed: true });
    expect(fixture.host.confirmed).to.deep.equal({ house: digest });
    expect((await fixture.host.registry.families([])).confirmed).to.deep.equal({ house: digest });
    fixture.host.launches.set('house', other);
    await confirm({ hostId: 'hst_1.example', digest: other });
    await fixture.host.beat();
    expect(fixture.host.confirmed).to.deep.equal({ house: other });
    const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', { subjectId: 'hst_1' });
    expect(facts.filter(({ kind }) => kind === 'host.harness-confirmed')).to.have.length(2);
  });

  for (const { what, request, code } of [
    { what: 'a digest that the file has not', request: { digest: other }, code: 'failed_precondition' },
    { what: 'a harness that no file is of', request: { harness: 'none' }, code: 'not_found' },
    { what: 'a host that there is none', request: { hostId: 'hst_none' }, code: 'not_found' },
    { what: 'a digest that is none', request: { digest: 'A'.repeat(64) }, code: 'failed_precondition' },
    { what: 'a name that is none', request: { harness: '../evil' }, code: 'invalid_argument' },
  ]) {
    it(`are not confirmed by ${what}`, async () => {
      expect((await failureOf(() => confirm(request))).code).to.equal(code);
      await fixture.host.beat();
      expect(fixture.host.confirmed).to.deep.equal({});
    });
  }

  it('are not confirmed while their host does not answer', async () => {
    await fixture.host.fallSilent();
    expect((await failureOf(() => confirm())).code).to.equal('unavailable');
    await fixture.host.beat();
    expect(fixture.host.confirmed).to.deep.equal({});
  });
});
