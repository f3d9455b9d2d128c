import type { Homes } from '../stage/homes.ts';
import { type BenchInstallation, type HostKind, install } from '../stage/installation.ts';
import { report } from '../stage/report.ts';
import { median, ms, quantile, timed, times } from '../stage/sample.ts';

interface Case {
  readonly name: string;
  readonly host: HostKind;
  /** How many agents are stored beforehand. */
  readonly stored: number;
  readonly callers: number;
  readonly launches: number;
}

const cases: readonly Case[] = [
  { name: 'nothing launched, one caller', host: 'inert', stored: 10_000, callers: 1, launches: 400 },
  { name: 'nothing launched, 8 callers', host: 'inert', stored: 10_000, callers: 8, launches: 400 },
  { name: 'launched at once, one caller', host: 'own', stored: 0, callers: 1, launches: 24 },
];

/** Measures create_agent until the agent is durable, compared with get_agent over the same connection. */
export async function benchAgentsCreate(homes: Homes): Promise<void> {
  const rows: string[][] = [];
  for (const one of cases) {
    const muster = await install(one.stored > 0 ? await homes.withAgents(one.stored) : homes.empty(), one.host);
    try {
      rows.push(await rowOf(one, muster));
    } finally {
      await muster.stop();
    }
  }
  report(
    'create_agent, accepted over HTTP',
    'Not launched: the host takes agents over and performs no effects. Launched: harness shell in tmux windows.',
    ['case', 'agents stored', 'launches', 'p50', 'p99', 'get_agent p50', 'p50 to get_agent'],
    rows,
  );
}

async function rowOf({ name, stored, callers, launches }: Case, muster: BenchInstallation): Promise<string[]> {
  const { workflow } = await muster.call<{ workflow: { id: string } }>('CreateWorkflow', {
    name: 'launches',
    cwd: '/',
    harness: 'shell',
    provisionEnabled: false,
  });
  const ids: string[] = [];
  const launch = async (title: string): Promise<void> => {
    const request = { prompt: 'echo done', title, workflowId: workflow.id };
    const { agent } = await muster.call<{ agent: { id: string } }>('CreateAgent', request);
    ids.push(agent.id);
  };
  for (let warm = 0; warm < 10; warm += 1) await launch(`warm-${warm}`);
  const created: number[] = [];
  const read: number[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < launches) {
      next += 1;
      const title = `launch-${next}`;
      created.push(await timed(() => launch(title)));
      read.push(await timed(() => muster.call('GetAgent', { agentId: ids.at(-1) })));
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const shown = [median(created), quantile(created, 0.99), median(read)];
  return [name, String(stored), String(created.length), ...shown.map(ms), times(median(created) / median(read))];
}
