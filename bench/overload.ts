import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pathOf } from '#contract/operation.ts';
import { watchAgents } from '#contract/operations/agent.ts';
import { enveloped } from '#test/gateway/stream-call.ts';
import { requestBytes } from './caller.ts';
import { cpuOf, processesOf } from './cpu.ts';
import type { Homes } from './homes.ts';
import { type BenchInstallation, install, pathOfMethod } from './installation.ts';
import type { Load, Outcome } from './load-generator.ts';
import { report } from './report.ts';
import { median, ms, quantile, times } from './sample.ts';
import type { SlowClients } from './slow-clients.ts';

const peakConnections = 32;
const loads = [1, 2, 10] as const;
const forMs = 6_000;
const warmMs = 1_500;
const slowConnections = 1_000;
const streamsOfOne = 50;
/** Servers rest once they have used less CPU in a second; how long that is waited for. */
const restingMs = 150;
const settleSeconds = 60;

interface Flood {
  readonly load: string;
  readonly offered: number;
  readonly outcome: Outcome;
  /** The gateway's resident memory at its highest, in MiB. */
  readonly memory: number;
}

/** What becomes of calls when ten times as many come as can be done, and while a thousand connections stand idle. */
export async function benchOverload(homes: Homes): Promise<void> {
  const home = await homes.withAgents(1_000);
  const muster = await install(home, 'idle');
  const generator = start('load-generator');
  try {
    const { agents } = await muster.call<{ agents: { agent: { id: string } }[] }>('ListAgents');
    const ids = agents.map(({ agent }) => agent.id);
    const request = requestBytes(
      muster.url,
      pathOfMethod('GetAgent'),
      muster.token,
      JSON.stringify({ agentId: ids[0] }),
    );
    const load = (more: Partial<Load>): Promise<Outcome> =>
      ask(generator, {
        url: muster.url,
        request: request.toString('latin1'),
        connections: 1_000,
        forMs,
        warmMs,
        ...more,
      });
    await floods(load, memoryIn(home));
    await slowOnes(muster, home, ids, load);
  } finally {
    generator.disconnect();
    await muster.stop();
  }
}

type LoadOn = (more: Partial<Load>) => Promise<Outcome>;

async function floods(load: LoadOn, memory: () => number): Promise<void> {
  const atPeak = await load({ connections: peakConnections });
  const peak = (atPeak.done.length * 1000) / forMs;
  const rows: Flood[] = [{ load: `${peakConnections} connections`, offered: peak, outcome: atPeak, memory: memory() }];
  for (const factor of loads) {
    let most = 0;
    const look = setInterval(() => {
      most = Math.max(most, memory());
    }, 100);
    const offered = factor * peak;
    rows.push({ load: `${factor} x the peak`, offered, outcome: await load({ perSecond: offered }), memory: most });
    clearInterval(look);
  }
  report(
    'overload: goodput and refusals',
    `GetAgent for ${forMs / 1000} s each, asked for at a steady rate, whatever is answered, over 1,000 connections; caller and servers share the cores.`,
    [
      'load',
      'asked a second',
      'done a second',
      'to the peak',
      'done p50',
      'p99',
      'refused',
      'refusal p50',
      'p99',
      'failed',
      'unsent',
      'gateway',
    ],
    rows.map(({ load: name, offered, outcome: { done, refused, failed, unsent }, memory: mebibytes }) => [
      name,
      offered.toFixed(0),
      ((done.length * 1000) / forMs).toFixed(0),
      `${((100 * done.length * 1000) / forMs / peak).toFixed(0)} %`,
      ms(median(done)),
      ms(quantile(done, 0.99)),
      String(refused.length),
      ...(refused.length > 0 ? [ms(median(refused)), ms(quantile(refused, 0.99))] : ['', '']),
      String(failed),
      String(unsent),
      `${mebibytes.toFixed(0)} MiB`,
    ]),
  );
}

/** How long calls take beside connections that hardly say anything, and beside none. */
async function slowOnes(muster: BenchInstallation, home: string, ids: readonly string[], load: LoadOn): Promise<void> {
  const probe = async (): Promise<readonly number[]> => (await load({ connections: 16, perSecond: 150 })).done;
  const kinds: readonly (readonly [string, SlowClients])[] = [
    [`${slowConnections} that send a header byte by byte`, slowHeaders(muster.url)],
    [
      `${slowConnections} watches and MCP streams of ${slowConnections / streamsOfOne} tokens`,
      await idleStreams(muster, ids),
    ],
  ];
  const rows: string[][] = [];
  for (const [name, clients] of kinds) {
    const before = await probe();
    const slow = start('slow-clients');
    slow.send(clients);
    await once(slow, 'message');
    await settled(home);
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
    ]);
  }
  report(
    'slow connections',
    `GetAgent 150 times a second, for ${forMs / 1000} s before, beside and after them.`,
    ['connections', 'alone p50', 'p99', 'beside p50', 'p99', 'p99 to alone'],
    rows,
  );
}

/** Waits until what was opened has been told all that there is: connections are slow from then on. */
async function settled(home: string): Promise<void> {
  const servers = processesOf(/muster\.mjs (gateway|registry)/, home);
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

/** Tells the gateway's resident memory, in MiB. */
function memoryIn(home: string): () => number {
  const [pid] = processesOf(/muster\.mjs gateway/, home);
  return () => {
    const [, kibibytes = '0'] = /^VmRSS:\s+([0-9]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / 1024;
  };
}

function start(program: string): ChildProcess {
  return fork(fileURLToPath(new URL(`./${program}.ts`, import.meta.url)));
}

async function ask(generator: ChildProcess, load: Load): Promise<Outcome> {
  generator.send(load);
  const [outcome] = (await once(generator, 'message')) as [Outcome];
  return outcome;
}
