import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AgentLimits } from '#actors/host/isolation/agent-limits.ts';
import { AgentNetworks } from '#actors/host/isolation/agent-networks.ts';
import { Isolation } from '#actors/host/isolation/isolation.ts';
import { KnownSecrets } from '#actors/host/secret/known-secrets.ts';
import { Redactor } from '#actors/host/secret/redactor.ts';
import type { Runtime } from '#contract/host/isolation.ts';
import { Cgroups } from '#world/isolation/cgroups.ts';
import { AgentLogins } from '#world/isolation/login/agent-logins.ts';
import type { Homes } from '../stage/homes.ts';
import { report } from '../stage/report.ts';
import { ms, quantile, timed } from '../stage/sample.ts';

const run = promisify(execFile);
/** How often each kind of start is measured, in turn. */
const defaultRounds = 30;
/** Screens of 200 panes that a host captures in a second: one pane in ten is animated, and captured five times. */
const capturesPerSecond = 100;
const screens = 2_000;

/** Measures what isolation adds to the start of a program, and what masking secrets in screens costs. */
export async function benchIsolation(homes: Homes, [rounds = defaultRounds]: readonly number[] = []): Promise<void> {
  await benchStarts(homes, rounds);
  benchRedaction();
}

async function benchStarts(homes: Homes, rounds: number): Promise<void> {
  const folder = homes.folder();
  const folders = Object.fromEntries(
    ['state', 'state/worktrees', 'state/sandboxes', 'state/settings', 'home', 'work', 'run'].map((name) => {
      mkdirSync(join(folder, name), { recursive: true });
      return [name, join(folder, name)];
    }),
  );
  const at = (name: string): string => folders[name] ?? folder;
  const env = { HOME: at('home'), PATH: '/usr/bin:/bin' };
  const log = { warn: () => {}, info: () => {} };
  const networks = new AgentNetworks({
    ...{ folder: async () => at('run'), baseUrl: 'http://127.0.0.1:7433', environment: env, onRefused: () => {} },
  });
  const isolation = new Isolation({
    folders: {
      ...{ stateFolder: at('state'), worktrees: at('state/worktrees') },
      ...{ sandboxes: at('state/sandboxes'), settings: at('state/settings') },
    },
    limits: new AgentLimits({
      cgroups: new Cgroups(at('cgroups.json'), 'muster-bench'),
      sandboxes: at('sandboxes'),
      log,
    }),
    logins: new AgentLogins({ log }),
    ...{ networks, harnesses: { find: () => undefined }, programs: () => env.PATH, env, log, busPort: 4222 },
  });
  const start = (id: string, runtime: Runtime | undefined, network?: 'NETWORK_ACCESS_OPEN') =>
    timed(async () => {
      const launch = {
        ...{ harness: 'shell', cwd: at('work'), grants: network ? { network } : {} },
        ...(runtime && { isolation: runtime }),
      };
      const subject = { id, family: id, worktree: undefined, launch };
      const around = await isolation.around(subject, { cwd: at('work'), env, programs: [], isBeside: false });
      const [file = '', ...args] = around(['/bin/true']);
      await run(file, args, { cwd: at('work'), env });
    });
  const kinds = {
    none: (id: string) => start(id, undefined),
    'sandbox, open network': (id: string) => start(id, 'sandbox', 'NETWORK_ACCESS_OPEN'),
    'sandbox, filtered network': (id: string) => start(id, 'sandbox'),
  };
  const took = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
  // The first sandbox loads the filter, which a host does once.
  await start('agt_first', 'sandbox');
  await isolation.remove({ id: 'agt_first' });
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, measure] of Object.entries(kinds)) {
      const id = `agt_${round}${kind.length}`;
      took.get(kind)?.push(await measure(id));
      await isolation.remove({ id });
    }
  }
  await networks.stop();
  const none = quantile(took.get('none') ?? [], 0.5);
  report(
    'the start of a program, until it has ended',
    `${rounds} starts of /bin/true of each kind, in turn, with the probe from inside.`,
    ['isolation', 'p50', 'p95', 'p50 over none'],
    [...took].map(([kind, all]) => [
      kind,
      ms(quantile(all, 0.5)),
      ms(quantile(all, 0.95)),
      ms(quantile(all, 0.5) - none),
    ]),
  );
}

/** A screen of 120 by 40 cells, of which each has other numbers, as an animated one has. */
function screenOf(number: number): string[] {
  return Array.from({ length: 40 }, (_, row) =>
    `\u001b[3${row % 8}m${number * 40 + row} ${'the quick brown fox edits src/main.ts '.repeat(3)}\u001b[0m`.slice(
      0,
      130,
    ),
  );
}

function benchRedaction(): void {
  const known = new KnownSecrets();
  for (let agent = 0; agent < 200; agent += 1) known.add(`agt_${agent}`, [`planted-secret-${agent * 7919}-of-agent`]);
  const rows = ['none', '200 of profiles'].map((what) => {
    const redactor = new Redactor(what === 'none' ? new KnownSecrets() : known);
    const all = Array.from({ length: screens }, (_, number) => screenOf(number));
    for (const screen of all.slice(0, 100)) redactor.rows(screen);
    const started = process.cpuUsage();
    for (const screen of all) redactor.rows(screen);
    const { user, system } = process.cpuUsage(started);
    const each = (user + system) / screens;
    const ofCore = (each * capturesPerSecond) / 1e4;
    return [
      what,
      each.toFixed(0),
      ...[ofCore, ofCore / availableParallelism()].map((share) => `${share.toFixed(2)} %`),
    ];
  });
  report(
    'masking secrets in screens',
    `Screens of 120 × 40, each a new one; 200 panes of which one in ten is animated are captured ${capturesPerSecond} times a second.`,
    ['known secrets', 'µs of CPU a screen', 'of a core', 'of all cores'],
    rows,
  );
}
