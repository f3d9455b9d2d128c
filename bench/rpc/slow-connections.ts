import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { pathOf } from '#contract/operation.ts';
import { watchAgents } from '#contract/operations/agent.ts';
import { enveloped } from '#test/gateway/stream-call.ts';
import { requestBytes } from '../stage/caller.ts';
import { cpuOf } from '../stage/cpu.ts';
import type { BenchInstallation } from '../stage/installation.ts';
import { report } from '../stage/report.ts';
import { median, ms, quantile, times } from '../stage/sample.ts';
import { forMs, type Stage } from './overload-stage.ts';
import type { SlowClients } from './slow-clients.ts';

const slowConnections = 1_000;
const streamsOfOne = 50;
/** Below how much CPU per second servers count as idle, and how long to wait for that. */
const restingMs = 150;
const settleSeconds = 60;

/** Measures calls with and without a thousand connections that send almost nothing. */
export async function slowOnes(stage: Stage, ids: readonly string[]): Promise<void> {
  const { muster, service } = stage;
  const probe = async (): Promise<readonly number[]> => (await stage.load({ connections: 16, perSecond: 150 })).done;
  const kinds: readonly (readonly [string, SlowClients])[] = [
    [`${slowConnections} that send a header byte by byte, each at its own moments`, slowHeaders(muster.url)],
    [
      `${slowConnections} watches and MCP streams of ${slowConnections / streamsOfOne} tokens`,
      await idleStreams(muster, ids),
    ],
  ];
  const rows: string[][] = [];
  for (const [name, clients] of kinds) {
    const others = stage.others();
    const before = await probe();
    const slow = stage.start('slow-clients');
    slow.send(clients);
    await once(slow, 'message');
    await settled(service);
    const beside = await probe();
    slow.disconnect();
    await delay(1_000);
    const both = [...before, ...(await probe())];
    const ratio = quantile(beside, 0.99) / quantile(both, 0.99);
    rows.push([
      name,
      ms(median(both)),
      ms(quantile(both, 0.99)),
      ms(median(beside)),
      ms(quantile(beside, 0.99)),
      times(ratio),
      others(),
    ]);
  }
  report(
    'slow connections',
    `GetAgent 150 times a second, for ${forMs / 1000} s before, during and after them; ${stage.cores}.`,
    ['connections', 'without p50', 'p99', 'with p50', 'p99', 'p99 to without', 'others'],
    rows,
  );
}

/** Waits until every opened watch has caught up. From then on the connections are slow. */
async function settled(servers: readonly number[]): Promise<void> {
  for (let second = 0; second < settleSeconds; second += 1) {
    const before = cpuOf(servers);
    await delay(1_000);
    if (cpuOf(servers) - before < restingMs) return;
  }
}

function slowHeaders(url: string): SlowClients {
  const opening = `POST / HTTP/1.1\r\nHost: ${new URL(url).host}\r\nX-Slow: `;
  return { url, openings: Array(slowConnections).fill(opening), drip: { text: 'x', everyMs: 500 } };
}

async function idleStreams(muster: BenchInstallation, ids: readonly string[]): Promise<SlowClients> {
  const openings: string[] = [];
  for (const id of ids.slice(0, slowConnections / streamsOfOne)) {
    const { token } = await muster.call<{ token: string }>('IssueAgentToken', { agentId: id });
    const half = streamsOfOne / 2;
    openings.push(
      ...Array(half).fill(watchOf(muster.url, token)),
      ...Array(half).fill(listenOf(muster.url, token, id)),
    );
  }
  return { url: muster.url, openings };
}

function watchOf(url: string, token: string): string {
  const type = 'Content-Type: application/connect+json\r\n';
  return requestBytes(url, `/${pathOf(watchAgents)}`, token, enveloped({}).toString('latin1'), type).toString('latin1');
}

function listenOf(url: string, token: string, id: string): string {
  const revision = '2026-07-28';
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { resourceSubscriptions: [`muster://agents/${id}`] },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  const headers = [
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${revision}`,
    'Mcp-Method: subscriptions/listen',
  ];
  return requestBytes(url, '/mcp', token, JSON.stringify(message), `${headers.join('\r\n')}\r\n`).toString('latin1');
}
