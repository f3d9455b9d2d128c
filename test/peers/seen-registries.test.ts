import { expect } from 'chai';
import type { Bus } from '#bus/bus.ts';
import { readySubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import type { CheckedPart } from '#contract/host/check.ts';
import { type Gateway, startGateway } from '#gateway/gateway.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { call } from '#test/gateway/http-call.ts';
import { readExposition } from '#test/gateway/metrics/exposition-reader.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import { moment } from '#test/support/moment.ts';
import { postgresDatabase } from '#test/support/postgres/postgres-database.ts';

describe('two registries', () => {
  let fixture: RegistryFixture;
  let gateway: Gateway;

  before(async () => {
    fixture = await registryFixture({ database: await postgresDatabase(), registries: 2 });
    gateway = await startGateway({ bus: fixture.gateway, bind: '127.0.0.1', port: 0, log: logProbe() });
  });
  after(async () => {
    await gateway.stop();
    await fixture.close();
  });

  const scrape = async () => {
    const port = Number(new URL(gateway.url).port);
    const headers = { authorization: null, 'content-type': null };
    return readExposition((await call({ port }, '/metrics', { method: 'GET', headers })).text);
  };
  const labelsOf = (samples: ReadonlyMap<string, number>, name: string) =>
    [...samples.keys()].flatMap((key) =>
      key.startsWith(`${name}{`) ? [...key.matchAll(/registry="([^"]+)"/g)].map(([, one]) => one) : [],
    );

  it('are both counted by the metrics, and the database once', async () => {
    const samples = await moment('each knows the other', async () => {
      const now = await scrape();
      return new Set(labelsOf(now, 'muster_database_waiting')).size === 2 ? now : undefined;
    });
    expect(new Set(labelsOf(samples, 'muster_bus_connected')).size).to.equal(2);
    expect(samples.has('muster_mails_unread')).to.equal(true);
    expect(samples.get('muster_registry_up')).to.equal(1);
  });

  const readyz = async ({ url }: Gateway) => {
    const headers = { authorization: null, 'content-type': null };
    const { status, text } = await call({ port: Number(new URL(url).port) }, '/readyz', { method: 'GET', headers });
    const { status: said, registries = [] } = JSON.parse(text) as {
      status: string;
      registries?: { ok: boolean; why?: string }[];
    };
    return { status, said, registries };
  };

  it('are both listed by readyz', async () => {
    await moment('both are listed as ready', async () => {
      const { status, said, registries } = await readyz(gateway);
      return status === 200 && said === 'ok' && registries.length === 2 && registries.every(({ ok }) => ok);
    });
  });

  it('are degraded while one of them does not answer', async () => {
    const { gateway: bus } = fixture;
    const request: Bus['request'] = (subject, body, options) =>
      subject.startsWith(`${readySubject}.`)
        ? Promise.reject(new Failure('NOBODY_ANSWERS', 'Nobody answers there'))
        : bus.request(subject, body, options);
    const half = await startGateway({ bus: { ...bus, request }, bind: '127.0.0.1', port: 0, log: logProbe() });
    try {
      const { status, said, registries } = await moment('each knows the other', async () => {
        const answer = await readyz(half);
        return answer.registries.length === 2 ? answer : undefined;
      });
      expect({ status, said }).to.deep.equal({ status: 200, said: 'degraded' });
      expect(registries.map(({ why }) => why).toSorted()).to.deep.equal(['Nobody answers there', undefined]);
    } finally {
      await half.stop();
    }
  });

  it('are both listed by the doctor', async () => {
    const found = await moment('it knows both', async () => {
      const { parts } = await fixture.call<{ parts: CheckedPart[] }>('RunDoctor');
      const check = parts.find(({ name }) => name === 'registry')?.checks?.find(({ name }) => name === 'registries');
      return check?.found?.startsWith('2 ') ? check : undefined;
    });
    expect(found.found).to.match(/^2 share the database: process \d+ on ".+", process \d+ on ".+"$/);
    expect(found.outcome).to.equal('CHECK_OUTCOME_OK');
  });
});
