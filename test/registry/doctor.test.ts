import { expect } from 'chai';
import type { Check, CheckedPart } from '#contract/host/check.ts';
import type { Host } from '#contract/host/host.ts';
import { isOnPostgres } from '#test/store/run-engine.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from './registry-fixture.ts';

const git: Check = { name: 'git', outcome: 'warn', found: '2.30.0 at /usr/bin/git', mend: 'install git 2.38 or newer' };

describe('the doctor of a service', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  const look = async (hostId = '') => (await fixture.call<{ parts: CheckedPart[] }>('RunDoctor', { hostId })).parts;
  const outcomes = (part: CheckedPart | undefined) =>
    Object.fromEntries((part?.checks ?? []).map(({ name = '', outcome }) => [name, outcome]));

  it('shows the checks of the registry and each host', async () => {
    fixture.host.checks = [git];
    const [registry, host] = await look();
    expect(registry?.name).to.equal('registry');
    expect(outcomes(registry)).to.deep.equal({
      approvals: 'CHECK_OUTCOME_OK',
      backups: 'CHECK_OUTCOME_OK',
      bus: 'CHECK_OUTCOME_OK',
      database: 'CHECK_OUTCOME_OK',
      git: 'CHECK_OUTCOME_OK',
      ...(isOnPostgres && { registries: 'CHECK_OUTCOME_OK' }),
    });
    expect([host?.name, host?.hostId]).to.deep.equal(['hst_1.example', 'hst_1']);
    expect(host?.checks?.at(-1)).to.deep.equal({ ...git, outcome: 'CHECK_OUTCOME_WARNING' });
    expect((await look('hst_1.example')).map(({ name }) => name)).to.deep.equal(['hst_1.example']);
  });

  it('warns of implementers without isolation beside credentials of forges', async () => {
    const warning = async () => (await look())[0]?.checks?.find(({ name }) => name === 'isolation');
    const { id: workflowId } = await fixture.workflow();
    const launched = { workflowId, provisionEnabled: false };
    await fixture.create({ ...launched, title: 'walled', isolation: 'ISOLATION_SANDBOX' });
    await fixture.create({ ...launched, title: 'lead', role: 'AGENT_ROLE_ORCHESTRATOR' });
    const { name } = await fixture.create({ ...launched, title: 'open' });
    expect(await warning()).to.equal(undefined);
    const forge = { host: 'git.forge.test', kind: 'FORGE_KIND_GITHUB', credentialEnv: 'FORGE_TOKEN' };
    await fixture.call('CreateForgeConnection', forge);
    expect(await warning()).to.include({ outcome: 'CHECK_OUTCOME_WARNING' });
    expect((await warning())?.found).to.match(new RegExp(`forges: "${name}"$`));
  });

  it('warns of a host whose clock is far from the registry’s', async () => {
    fixture.host.now = () => fixture.clock.now() - 60_000;
    const [host] = await look('hst_1');
    const clock = host?.checks?.find(({ name }) => name?.startsWith('clock'));
    expect(clock).to.include({ outcome: 'CHECK_OUTCOME_WARNING', found: 'it is 60.0 s behind' });
    expect(clock?.mend).to.include('NTP');
  });

  it('warns of everything that the list of hosts warns of, answered or not', async () => {
    const { host, clock } = fixture;
    host.now = () => clock.now() - 60_000;
    const load = { diskFreeBytes: 1024 ** 3 };
    const condition = { system: 'linux x64', startedAt: 0, load, protocol: 1, musterVersion: '0.0.9' };
    const certifiedUntil = clock.now() + 60 * 60_000;
    host.condition = { ...condition, clock: clock.now() - 60_000, tmuxFault: 'tmux 2.9 is too old', certifiedUntil };
    host.harnesses = ['shell'];
    // What its machine has now may be right, and what runs there from before is not.
    host.checks = [{ name: 'tmux', outcome: 'ok', found: 'tmux 3.4', mend: '' }];
    clock.pass(1);
    await host.beat();
    const listed = async () => (await fixture.call<{ hosts: Host[] }>('ListHosts')).hosts[0]?.faults ?? [];
    const warnings = async () => {
      const { checks = [] } = (await look('hst_1'))[0] ?? {};
      const wrong = checks.filter(({ outcome }) => outcome !== 'CHECK_OUTCOME_OK');
      for (const { name, mend } of wrong) expect(mend, name).not.to.equal('');
      return wrong.map(({ name = '' }) => name);
    };
    const names = (await listed()).map((fault) => fault.split(':')[0] ?? '');
    expect(names).to.have.length(6);
    expect(await warnings()).to.have.members(names);
    host.examining = async () => {
      clock.pass(1_000);
      await host.beat();
      return new Promise(() => undefined);
    };
    expect(await warnings(), 'a one-way link').to.have.members(['requests', ...names]);
    host.examining = async () => undefined;
    host.condition = { ...condition, load: {}, musterVersion: '0.1.0' };
    host.harnesses = ['claude'];
    await host.beat();
  });

  it('fails on a host that does not answer, and on one that is lost', async () => {
    const found = async () => (await look('hst_1'))[0]?.checks ?? [];
    fixture.host.examining = async () => {
      fixture.clock.pass(1_000);
      await fixture.host.beat();
      return new Promise(() => undefined);
    };
    const oneWay = await found();
    expect(oneWay.slice(0, 2).map(({ name, outcome }) => [name, outcome])).to.deep.equal([
      ['online', 'CHECK_OUTCOME_OK'],
      ['requests', 'CHECK_OUTCOME_FAILURE'],
    ]);
    expect(oneWay[1]?.found).to.equal('its beats arrive, but it does not answer requests');
    fixture.host.examining = () => new Promise(() => undefined);
    const offline = [['online', 'CHECK_OUTCOME_FAILURE']];
    expect(
      (await found()).map(({ name, outcome }) => [name, outcome]),
      'it hangs',
    ).to.deep.equal(offline);
    await fixture.host.fallSilent();
    expect(
      (await found()).map(({ name, outcome }) => [name, outcome]),
      'it has left',
    ).to.deep.equal(offline);
    fixture.clock.pass(60_000);
    const lost = await moment('it is lost', async () => {
      const check = (await look('hst_1'))[0]?.checks?.[0];
      return check?.found?.startsWith('it is lost') ? check : undefined;
    });
    expect(lost?.outcome).to.equal('CHECK_OUTCOME_FAILURE');
    expect(lost?.mend).to.include('start `muster host`');
  });
});
