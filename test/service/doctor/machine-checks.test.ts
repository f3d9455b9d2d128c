import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { checkClock, checkOpenFiles, checkTraces, checkZones } from '#service/machine-checks.ts';

describe('the doctor’s checks of a machine', () => {
  it('warn about a low limit of open files, and accept a high one or none', () => {
    expect(checkOpenFiles(256)).to.deep.include({ outcome: 'warn', found: 'a process may open 256' });
    expect(checkOpenFiles(256).mend).to.include('ulimit -n');
    expect(checkOpenFiles(1_024).outcome).to.equal('ok');
    expect(checkOpenFiles('unlimited').outcome).to.equal('ok');
    expect(checkOpenFiles().outcome, 'of this machine').to.equal('ok');
  });

  it('fail on an unset clock', () => {
    expect(checkClock(0)).to.deep.include({ outcome: 'fail', found: '1970-01-01T00:00:00Z' });
    expect(checkClock().outcome).to.equal('ok');
  });

  it('fail on an unknown time zone, or wrong zone data', () => {
    expect(checkZones('Nowhere/None')).to.deep.include({ outcome: 'fail', found: 'Nowhere/None is not known' });
    expect(checkZones('UTC').outcome).to.equal('fail');
    expect(checkZones()).to.deep.include({ outcome: 'ok' });
  });
});

describe('the doctor’s check of traces', () => {
  let server: Server;
  let answer: number | undefined;
  let heard: string | undefined;
  let endpoint: string;
  beforeEach(async () => {
    answer = 200;
    server = createServer((request, response) => {
      heard = `${request.url} ${request.headers['x-tenant']}`;
      if (answer !== undefined) response.writeHead(answer).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('passes if none are requested', async () => {
    for (const environment of [
      {},
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' },
    ]) {
      expect((await checkTraces(environment)).found).to.include('OTEL_EXPORTER_OTLP_ENDPOINT is not set');
    }
    expect(heard).to.equal(undefined);
  });

  it('passes if a collector accepts them, with the configured headers', async () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'a=b, x-tenant=one%20two',
    };
    expect(await checkTraces(environment)).to.deep.include({
      outcome: 'ok',
      found: `${endpoint}/v1/traces accepts them`,
    });
    expect(heard).to.equal('/v1/traces one two');
    await checkTraces({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/own` });
    expect(heard).to.equal('/own undefined');
  });

  it('warns about a collector that refuses, is silent, or is missing', async () => {
    const look = () => checkTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    answer = 503;
    expect(await look()).to.deep.include({ outcome: 'warn', found: `${endpoint}/v1/traces answers HTTP 503` });
    answer = undefined;
    expect((await look()).found).to.equal(`${endpoint}/v1/traces does not answer within 2 s`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect((await look()).found).to.equal(`nothing answers at ${endpoint}/v1/traces`);
  });

  it('warns about an unsupported protocol, with the variable', async () => {
    for (const [name, value, words] of [
      ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be http/json'],
      ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/protobuf', 'must be http/json'],
      ['OTEL_TRACES_EXPORTER', 'zipkin', 'must be otlp or none'],
      ['OTEL_TRACES_SAMPLER', 'sometimes', 'must be one of always_on'],
      ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4317', 'must be an http or https address'],
    ] as const) {
      const found = await checkTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, [name]: value });
      expect(found.outcome, name).to.equal('warn');
      expect(found.found).to.include(`${name} is "${value}"`).and.include(words);
    }
  });
});
