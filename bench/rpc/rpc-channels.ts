import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { create, toBinary } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { toolName } from '#contract/operation.ts';
import { getAgent } from '#contract/operations/agent.ts';
import { operations, resources } from '#contract/table.ts';
import { describeTable, methodOf } from '#gateway/proto/descriptors.ts';
import { Connection } from '../stage/connection.ts';
import type { Homes } from '../stage/homes.ts';
import { type BenchInstallation, benchEnvironment, install, pathOfMethod } from '../stage/installation.ts';
import { report } from '../stage/report.ts';
import { median, ms, quantile } from '../stage/sample.ts';

const lanes = 32;
const roundMs = 2_000;
const rounds = 4;
const muster = fileURLToPath(new URL('../../bin/muster', import.meta.url));

/** A channel, and the results of its rounds. */
interface Channel {
  readonly name: string;
  /** The number of lanes, each of which calls again as soon as it is answered. */
  readonly lanes: number;
  /** Opens one lane. */
  readonly open: () => { ask(): Promise<unknown>; close(): void };
  readonly perSecond: number[];
  readonly durations: number[];
}

/** Compares the same operation on every channel, and a bare Fastify handler, alternating in one run. */
export async function benchRpcChannels(homes: Homes): Promise<void> {
  const echo = fork(fileURLToPath(new URL('./echo-server.ts', import.meta.url)));
  const [{ url: echoUrl }] = (await once(echo, 'message')) as [{ url: string }];
  const home = await homes.withAgents(1_000);
  const installation = await install(home, 'idle', { MUSTER_H2C: 'on' });
  try {
    const { agents } = await installation.call<{ agents: { agent: { id: string } }[] }>('ListAgents');
    const channels = channelsTo(installation, echoUrl, home, agents[0]?.agent.id ?? '');
    for (let round = -1; round < rounds; round += 1) {
      for (const channel of channels) await run(channel, round >= 0);
    }
    print(channels);
  } finally {
    await installation.stop();
    echo.disconnect();
  }
}

function channelsTo({ url, token }: BenchInstallation, echoUrl: string, home: string, id: string): readonly Channel[] {
  const table = describeTable(operations, resources);
  const { input } = methodOf(table, getAgent);
  const path = pathOfMethod('GetAgent');
  const body = JSON.stringify({ agentId: id });
  const binary = Buffer.from(toBinary(input, create(input, { agentId: id })));
  const tool = { name: toolName(getAgent), arguments: { agentId: id } };
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool });
  const mcp = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';
  const posting =
    (to: string, ...post: Parameters<Connection['post']>) =>
    () => {
      const connection = new Connection(to);
      return { ask: () => connection.post(...post), close: () => connection.close() };
    };
  const env = { ...benchEnvironment(home), MUSTER_URL: url };
  const channel = (name: string, open: Channel['open'], atOnce = lanes): Channel => ({
    ...{ name, open, lanes: atOnce },
    ...{ perSecond: [], durations: [] },
  });
  return [
    channel('bare Fastify handler', posting(echoUrl, '/echo', token, body)),
    channel('Connect JSON', posting(url, path, token, body)),
    channel('Connect binary', posting(url, path, token, binary, 'Content-Type: application/proto\r\n')),
    channel('gRPC, by connect-node', grpc(url, token, id, table)),
    channel('MCP over HTTP', posting(url, '/mcp', token, call, mcp)),
    channel(
      'command line, 2 at once',
      () => ({
        ask: () => promisify(execFile)(muster, ['rpc', 'get-agent', '--agent-id', id], { env }),
        close: () => undefined,
      }),
      2,
    ),
  ];
}

/** Each lane is a stream of one shared connection, as in gRPC. */
function grpc(url: string, token: string, id: string, table: ReturnType<typeof describeTable>): Channel['open'] {
  const service = table.getService(`${getAgent.package}.${getAgent.service}`);
  if (service === undefined) throw new Error('the table has no agents');
  const client = createClient(service, createGrpcTransport({ baseUrl: url })) as unknown as Readonly<
    Record<string, (request: object, options: object) => Promise<unknown>>
  >;
  const headers = { authorization: `Bearer ${token}` };
  return () => ({ ask: async () => client['getAgent']?.({ agentId: id }, { headers }), close: () => undefined });
}

/** Runs one round: every lane calls again as soon as it is answered. */
async function run(channel: Channel, counts: boolean): Promise<void> {
  const end = performance.now() + roundMs;
  const durations: number[] = [];
  const lane = async (): Promise<void> => {
    const { ask, close } = channel.open();
    for (let start = performance.now(); start < end; ) {
      await ask();
      const now = performance.now();
      durations.push(now - start);
      start = now;
    }
    close();
  };
  await Promise.all(Array.from({ length: channel.lanes }, lane));
  if (!counts) return;
  channel.perSecond.push((durations.length * 1000) / roundMs);
  for (const duration of durations) channel.durations.push(duration);
}

function print(channels: readonly Channel[]): void {
  const [bare = Number.NaN] = channels.map(({ perSecond }) => median(perSecond));
  report(
    'one operation on every channel',
    `GetAgent, ${lanes} at once, medians of ${rounds} rounds of ${roundMs / 1000} s each, in turn; callers and servers share the cores.`,
    ['channel', 'calls a second', 'to the bare handler', 'p50', 'p99'],
    channels.map(({ name, perSecond, durations }) => [
      name,
      median(perSecond).toFixed(0),
      `1 : ${(bare / median(perSecond)).toFixed(1)}`,
      ms(median(durations)),
      ms(quantile(durations, 0.99)),
    ]),
  );
}
