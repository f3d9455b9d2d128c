import { connect as connectHttp2 } from 'node:http2';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { commandOperations } from '#cli/client/command-operation.ts';
import { commandName, pathOf, toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { channels, codeOf, doorOf, rowOf } from '#test/channels/channel.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { runInside } from '#test/cli/command-line.ts';
import { type GatewayFixture, gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { call, getAgent, type HttpQuestion, listAgents, watchAgents } from '#test/gateway/http-call.ts';
import { errorOf, openStream } from '#test/gateway/stream-call.ts';
import { framed } from '#test/gateway/wire-bytes.ts';
import { moment } from '#test/support/moment.ts';
import { someOf } from '#test/support/some-of.ts';

const mebibyte = 1024 * 1024;
const notNats = { authorization: 'Bearer nobody' };
/** Many values in few bytes: what costs the most to parse. */
const manyValues = `{"x":[${'[],'.repeat(mebibyte)}[]]}`;
const gzipBomb = gzipSync(manyValues, { level: 9 });

/** How much processor time this process took for some work, in milliseconds. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('an attack with bytes before the token', () => {
  let gateway: GatewayFixture;
  before(async () => {
    gateway = await gatewayFixture({
      throttle: { max: 1_000_000, withinMs: 60_000, pauseMs: 0 },
      requestMemory: { inAll: 12 * mebibyte, ofOneCaller: 10 * mebibyte },
    });
  });
  after(() => gateway.close());

  const outcome = async (path: string, question: HttpQuestion) => {
    const { status, json } = await call(gateway, path, question);
    return [status, json?.['code']];
  };

  it('is refused at every endpoint before decompression and parsing', async () => {
    const bodies: readonly (readonly [path: string, headers: Record<string, string>, body: Uint8Array | string])[] = [
      [listAgents, { 'content-encoding': 'gzip' }, gzipBomb],
      [listAgents, { 'content-encoding': 'br' }, brotliCompressSync(manyValues)],
      [listAgents, {}, manyValues],
      [listAgents, { 'content-type': 'application/proto' }, Buffer.alloc(3 * mebibyte, '\x0a\x00')],
      [listAgents, { 'content-type': 'application/grpc-web+json', 'grpc-encoding': 'gzip' }, framed(gzipBomb, 1)],
      ['/mcp', {}, manyValues],
      ['/nowhere', {}, manyValues],
      ['/session', {}, manyValues],
    ];
    const took = await processorTime(async () => {
      for (let round = 0; round < 5; round += 1) {
        for (const [path, headers, body] of bodies) {
          const { status, json, text } = await call(gateway, path, {
            headers: { ...notNats, ...headers },
            body,
          });
          const told = text.includes('grpc-status: 16') ? 'unauthenticated' : json?.['code'];
          const expected = { '/nowhere': 'unimplemented', '/session': 'resource_exhausted' }[path] ?? 'unauthenticated';
          expect(told, `${path} ${JSON.stringify(headers)} ${status}`).to.equal(expected);
        }
      }
    });
    // Each of them took a second and more where it was read.
    expect(took / 5 / bodies.length).to.be.below(150);
  });

  it('is refused in a GET’s address, on a watch, and over HTTP/2', async () => {
    const query = `encoding=json&base64=1&compression=gzip&message=${gzipBomb.toString('base64url').slice(0, 8_000)}`;
    const got = await outcome(`${listAgents}?${query}`, {
      method: 'GET',
      headers: { ...notNats, 'content-type': null },
    });
    expect(got).to.deep.equal([401, 'unauthenticated']);
    const stream = await openStream(gateway, watchAgents, framed(gzipBomb, 1), {
      ...notNats,
      'connect-content-encoding': 'gzip',
    });
    expect(errorOf(await stream.next())).to.include({ code: 'unauthenticated' });
    await stream.close();
    const session = connectHttp2(gateway.url);
    const asked = session.request({
      ...{ ':method': 'POST', ':path': listAgents, 'content-type': 'application/grpc', 'grpc-encoding': 'gzip' },
      ...notNats,
    });
    asked.on('error', () => undefined);
    const head = new Promise<Record<string, unknown>>((resolve) => asked.once('trailers', resolve));
    // The body never ends, and the server does not wait for it.
    asked.write(framed(gzipBomb, 1).subarray(0, 1_000));
    asked.resume();
    expect(await head).to.include({ 'grpc-status': '16' });
    session.destroy();
  });

  it('is limited for callers with a token too: in size, compression ratio, and values', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    const zeros = gzipSync(`{"unknown":"${'0'.repeat(3 * mebibyte)}"}`, { level: 9 });
    expect(3 * mebibyte).to.be.above(100 * zeros.length);
    expect(await outcome(listAgents, { headers: gzip, body: zeros })).to.deep.equal([413, 'resource_exhausted']);
    const often = gzipSync(`{"unknown":"${'0'.repeat(200_000)}"}`, { level: 9 });
    expect(await outcome(listAgents, { headers: gzip, body: often })).to.deep.equal([200, undefined]);
    expect(await outcome(listAgents, { body: manyValues })).to.deep.equal([400, 'invalid_argument']);
    expect(await outcome(listAgents, { body: `{"a":${'"\\\\'.repeat(mebibyte)}` })).to.deep.equal([
      400,
      'invalid_argument',
    ]);
    const proto = { 'content-type': 'application/proto' };
    for (const body of [Buffer.alloc(3 * mebibyte, '\x0a\x00'), Buffer.alloc(3 * mebibyte, '\x92\x06\x00', 'latin1')]) {
      expect(await outcome(listAgents, { headers: proto, body })).to.deep.equal([400, 'invalid_argument']);
    }
    const groups = Buffer.alloc(mebibyte, '\x0b');
    expect(await outcome(listAgents, { headers: proto, body: groups })).to.deep.equal([400, 'invalid_argument']);
    const tool = await call(gateway, '/mcp', {
      body: manyValues,
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect(tool.status).to.equal(400);
    expect(tool.text).to.contain('50000 names and values');
  });

  it('costs a caller with a token little time, whatever it sends', async () => {
    const took = await processorTime(() => outcome(listAgents, { body: manyValues }));
    expect(took).to.be.below(1_000);
  });

  it('gets at most ten field errors', async () => {
    const body = { agentIds: Array.from({ length: 20_000 }, () => '') };
    const { status, text } = await call(gateway, '/agent.v1.AgentService/DeleteAgent', {
      body: { ...body, agentId: 7 },
    });
    expect(status).to.equal(400);
    expect(text.length).to.be.below(10_000);
  });

  it('is limited in the memory of all requests in progress, which is released', async () => {
    const release = Promise.withResolvers<object>();
    gateway.answer('GetAgent', () => release.promise);
    const large = { agentId: 'agt_1', unknown: 'x'.repeat(3 * mebibyte) };
    const asked: ReturnType<typeof outcome>[] = [];
    const before = gateway.calls.length;
    for (const count of [1, 2, 3]) {
      asked.push(outcome(getAgent, { body: large }));
      await moment(`${count} are under way`, () => gateway.calls.length === before + count);
    }
    for (const _ of asked)
      expect(await outcome(getAgent, { body: large }), 'one too many').to.deep.equal([429, 'resource_exhausted']);
    expect(await outcome(listAgents, {}), 'a small one is not').to.deep.equal([200, undefined]);
    release.resolve({});
    for (const one of asked) expect(await one).to.deep.equal([200, undefined]);
    expect(await outcome(getAgent, { body: large }), 'there is room again').to.deep.equal([200, undefined]);
  });

  it('is refused over MCP while the registry is down', async () => {
    const away = await gatewayFixture();
    await away.registry.close();
    const { status, json } = await call(away, '/mcp', { body: { x: 'x'.repeat(mebibyte) } });
    expect([status, json?.['code']]).to.deep.equal([413, 'resource_exhausted']);
    const rpc = await call(away, listAgents, { headers: { 'content-encoding': 'gzip' }, body: gzipBomb });
    expect([rpc.status, rpc.json?.['code']]).to.deep.equal([503, 'unavailable']);
    await away.close();
  });
});

describe('a caller without the right to an operation', () => {
  let instance: Instance;
  let token: string;
  before(async () => {
    instance = await startInstance();
    const { id } = await instance.fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' });
    token = instance.fixture.tokenOf(id);
  });
  after(() => instance.close());

  const notOffered = operations.filter(({ roles }) => !roles.includes('implementer'));

  it('gets that error before any error in the request, on every channel', async () => {
    expect(notOffered.length).to.be.above(10);
    for (const [turn, row] of notOffered.entries()) {
      for (const channel of someOf(channels, turn)) {
        // A list instead of every field, and fields that there are not.
        const wrong = { agentId: ['x'], id: { a: 1 }, view: 'BOGUS', nothing: 1 };
        const told = codeOf(await channel.call(doorOf(instance, token), row, wrong));
        expect(told, `${row.method} over ${channel.name}`).to.equal('permission_denied');
      }
    }
  });

  it('gets that error before those of size, encoding, JSON, deadline and content type', async () => {
    const row = rowOf('DeleteAgent');
    const questions: readonly HttpQuestion[] = [
      { body: '{"broken":' },
      { body: '' },
      { body: 'x'.repeat(5 * mebibyte) },
      { body: '{}', headers: { 'content-encoding': 'zstd' } },
      { body: '{}', headers: { 'content-encoding': 'gzip' } },
      { body: '{}', headers: { 'connect-timeout-ms': 'abc' } },
      { body: '{}', headers: { 'connect-protocol-version': '9' } },
      { body: '{}', headers: { 'content-type': 'text/plain' } },
      { body: '{}', headers: { 'content-type': 'application/connect+json' } },
      { body: Buffer.from([0xff]), headers: { 'content-type': 'application/proto' } },
      { method: 'GET', headers: { 'content-type': null } },
      { method: 'PUT', body: '{}' },
    ];
    for (const { headers = {}, ...question } of questions) {
      const answer = await call(instance, `/${pathOf(row)}`, {
        ...question,
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
      expect([answer.status, answer.json?.['code']], JSON.stringify(headers)).to.deep.equal([403, 'permission_denied']);
    }
  });

  it('gets that error from the command line before errors in flags', async () => {
    const env = { SERVICE_BASE_URL: instance.url, SERVICE_TOKEN: token };
    for (const words of [
      ['--nonsense'],
      ['--agent-id', 'a', '--agent-id', 'b'],
      ['--json', '{"a":'],
      ['too', 'many'],
    ]) {
      const { code, err } = await runInside(['rpc', commandName(rowOf('DeleteAgent')), ...words], { env });
      expect(err, words.join(' ')).to.contain('is not offered to agents');
      expect(code).to.equal(8);
    }
    const { err } = await runInside(['rpc', commandName(rowOf('GetAgent')), '--nonsense'], { env });
    expect(err).to.contain('--nonsense');
  });

  const rolesOnWire = [
    ['orchestrator', 'AGENT_ROLE_ORCHESTRATOR'],
    ['implementer', 'AGENT_ROLE_IMPLEMENTER'],
    ['reviewer', 'AGENT_ROLE_REVIEWER'],
  ] as const;
  for (const [which, [role, wireRole]] of someOf([...rolesOnWire.entries()], 1)) {
    it(`gets that error from every command before errors in flags, as the role ${role}`, async () => {
      const { id } = await instance.fixture.create({
        provisionEnabled: false,
        role: wireRole,
      });
      const env = { SERVICE_BASE_URL: instance.url, SERVICE_TOKEN: instance.fixture.tokenOf(id) };
      for (const [command, path] of someOf(Object.entries(commandOperations), which)) {
        const row = operations.find((one) => pathOf(one) === path);
        expect(row, `${command} asks for an operation`).not.to.equal(undefined);
        const value = command.includes('--') ? ['x'] : [];
        const { code, err } = await runInside([...command.split(' '), ...value, '--no-such-flag'], { env });
        expect([code, err], command).to.satisfy(([exit, said]: [number, string]) =>
          row?.roles.includes(role)
            ? exit === 2 && !said.includes('is not offered')
            : exit === 8 && said.includes('is not offered to agents'),
        );
        if (row?.roles.includes(role)) continue;
        const named = await runInside([...command.split(' '), ...value, 'no-such-name', 'no-such-name'], { env });
        expect(named.err, `${command} of a name that nothing bears`).to.include('is not offered to agents');
        const one = await runInside([...command.split(' '), ...value, 'no-such-name'], { env });
        expect(one.err, `${command} of a name that nothing bears`).to.include('is not offered to agents');
      }
    });
  }

  it('gets that error for a field for people before errors in other fields', async () => {
    const row = operations.find(({ peopleOnly }) => peopleOnly !== undefined && peopleOnly.fields.length > 0);
    const field = row?.peopleOnly?.fields[0] ?? '';
    if (row === undefined) throw new Error('no operation has such a field');
    for (const channel of channels.slice(0, 2)) {
      const request = { [field]: ['agent.gone'], view: 'BOGUS', cursor: ['x'] };
      const told = codeOf(await channel.call(doorOf(instance, token), row, request));
      expect(told, `${toolName(row)} over ${channel.name}`).to.equal('permission_denied');
    }
  });

  it('gets the error of an unknown token, also right after the token was valid', async () => {
    const { id } = await instance.fixture.create({ provisionEnabled: false });
    const ended = instance.fixture.tokenOf(id);
    const ask = (body: string) => call(instance, listAgents, { headers: { authorization: `Bearer ${ended}` }, body });
    expect((await ask('{}')).status).to.equal(200);
    await instance.fixture.call('ArchiveAgent', { agentId: id });
    for (const body of ['{}', '{"broken":', '{"view":"BOGUS"}']) {
      expect((await ask(body)).json?.['code'], body).to.equal('unauthenticated');
    }
  });
});
