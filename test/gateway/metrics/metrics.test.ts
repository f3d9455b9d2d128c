import { expect } from 'chai';
import { type Gateway, startGateway } from '#gateway/gateway.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import { moment } from '#test/support/moment.ts';
import { call, createAgent, listAgents } from '../http-call.ts';
import { readExposition } from './exposition-reader.ts';

describe('the metrics of the gateway', () => {
  let registry: RegistryFixture;
  let gateway: Gateway;
  const start = async (baseUrl?: string) => {
    const given = { bus: registry.gateway, bind: '127.0.0.1', port: 0, log: logProbe() };
    gateway = await startGateway({ ...given, ...(baseUrl === undefined ? {} : { baseUrl }) });
  };
  const port = () => ({ port: Number(new URL(gateway.url).port) });
  const scrape = (headers: Record<string, string | null> = {}) =>
    call(port(), '/metrics', { method: 'GET', headers: { authorization: null, 'content-type': null, ...headers } });
  const person = () => `Bearer ${registry.operatorToken}`;

  beforeEach(async () => {
    registry = await registryFixture();
  });
  afterEach(async () => {
    await gateway.stop();
    await registry.close();
  });

  it('count agents, calls, queues, the bus and the database', async () => {
    await start();
    const before = readExposition((await scrape()).text);
    expect(before.get('muster_registry_up')).to.equal(1);
    const workflowId = (await registry.call<{ workflows: { id: string }[] }>('ListWorkflows')).workflows[0]?.id;
    const asked = { workflowId, prompt: 'go', harness: 'shell', name: 'counted' };
    const made = await call(port(), createAgent, { headers: { authorization: person() }, body: asked });
    expect(made.status, made.text).to.equal(200);
    await call(port(), createAgent, {
      headers: { authorization: person() },
      body: { ...asked, workflowId: 'wfl_none', name: 'other' },
    });
    await call(port(), listAgents, { headers: { authorization: person() } });
    const comment = { agentId: 'agt_none', filePath: 'a', body: 'Name it what it is.' };
    await call(port(), createAgent.replace('CreateAgent', 'CreateReviewThread'), {
      headers: { authorization: person() },
      body: comment,
    });
    let answer = await scrape();
    await moment('the tables were counted anew', async () => {
      answer = await scrape();
      return answer.text.includes('setting_up');
    });
    expect(answer.headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8');
    const now = readExposition(answer.text);
    expect(now.get('muster_agents{state="setting_up",standing="present"}')).to.equal(1);
    expect(now.get('muster_facts_total{kind="agent.created"}')).to.equal(1);
    const effects = [...now].filter(([key]) => key.startsWith('muster_effects_waiting{'));
    expect(effects.reduce((sum, [, value]) => sum + value, 0)).to.equal(1);
    const calls = (operation: string, code: string) =>
      now.get(`muster_calls_total{operation="${operation}",channel="rpc",code="${code}"}`);
    expect([calls('CreateAgent', 'ok'), calls('CreateAgent', 'not_found'), calls('ListAgents', 'ok')]).to.deep.equal([
      1, 1, 1,
    ]);
    const slowest = 'muster_call_duration_seconds_bucket{operation="CreateAgent",channel="rpc",le="+Inf"}';
    expect(now.get(slowest)).to.equal(2);
    const begun = 'muster_transitions_total{machine="agent",from="none",to="settingUp.provisioning"}';
    expect(now.get(begun), [...now.keys()].filter((key) => key.includes('transitions')).join(' ')).to.equal(1);
    expect(now.get('muster_machine_instances{machine="host",state="online"}')).to.equal(1);
    expect(now.get('muster_mails_unread')).to.equal(0);
    expect(now.get('muster_bus_connected{component="registry"}')).to.equal(1);
    for (const name of [
      'muster_database_size_bytes',
      'muster_database_wal_size_bytes',
      'muster_bus_round_trip_seconds',
      'muster_bus_messages_total{component="gateway",direction="out"}',
      'muster_bus_request_duration_seconds_count{component="gateway"}',
      'muster_database_wait_seconds_count',
      'muster_process_start_time_seconds{component="registry"}',
    ]) {
      expect(now.get(name), name).to.be.above(0);
    }
    const writes = 'muster_database_transaction_duration_seconds_count{kind="write"}';
    expect(now.get(writes)).to.be.above(before.get(writes) ?? 0);
    expect(now.get('muster_process_resident_memory_bytes{component="registry"}')).to.be.above(1e6);
    expect(answer.text, 'what is written of a review').not.to.include('CreateReviewThread');
    expect(answer.text).not.to.include('counted').and.not.to.include(registry.operatorToken);
  });

  it('report the load of existing hosts, as far as their systems provide it', async () => {
    await start();
    const load = { loadAverage1m: 3, cpuCount: 2, memoryTotalBytes: 400, diskFreeBytes: 100, diskTotalBytes: 400 };
    registry.host.condition = { system: 'darwin arm64', musterVersion: '1.2.3', startedAt: 0, load };
    await registry.host.beat();
    const found = (text: string) =>
      [...readExposition(text)].filter(([key]) => /^muster_host_(load|memory|disk)/.test(key));
    expect(found((await scrape()).text)).to.deep.equal([
      ['muster_host_load_per_cpu{host="hst_1.example"}', 1.5],
      ['muster_host_disk_used_ratio{host="hst_1.example"}', 0.75],
    ]);
    registry.clock.pass(31_000);
    await moment('the host is lost', async () => {
      const { text } = await scrape();
      return readExposition(text).get('muster_host_up{host="hst_1.example"}') === 0 ? text : undefined;
    }).then((text) => expect(found(text)).to.deep.equal([]));
  });

  it('report that the registry is down, with the gateway’s own counters', async () => {
    await start();
    await registry.nats.kill();
    const alone = readExposition((await scrape()).text);
    expect(alone.get('muster_registry_up')).to.equal(0);
    expect(alone.get('muster_bus_connected{component="gateway"}')).to.equal(0);
    expect([...alone.keys()].some((key) => key.startsWith('muster_agents'))).to.equal(false);
    await registry.nats.restart();
  });

  it('are open to this machine, and need a person’s token if others reach the gateway', async () => {
    await start();
    expect((await scrape({ 'x-forwarded-for': '10.0.0.1' })).status).to.equal(401);
    expect((await scrape({ 'x-forwarded-for': '10.0.0.1', authorization: person() })).status).to.equal(200);
    expect((await scrape({ origin: 'https://evil.example' })).status).to.equal(403);
    await gateway.stop();
    await start('https://muster.example');
    expect((await scrape()).status).to.equal(401);
    expect((await scrape({ authorization: 'Bearer nobody' })).status).to.equal(401);
    const { id } = await registry.create({ harness: 'shell' });
    expect((await scrape({ authorization: `Bearer ${registry.tokenOf(id)}` })).status).to.equal(403);
    expect((await scrape({ authorization: person() })).status).to.equal(200);
  });
});
