// `npm run bench`: runs every bench, or the named ones, and prints their tables. Numbers are sizes for benches that
// have some, as in `npm run bench panes -- 200`. `--against DIR` names another checkout of muster, for benches that can
// compare the two; `--seed`, `--faults` and `--write` are for `fleet`. On a shared machine, absolute figures mean
// little, so each bench measures its alternatives in turn and prints ratios.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { closeSharedBrowser } from '#test/page/browser.ts';
import { benchPage } from './page/page.ts';
import { benchPageAnswers } from './page/page-answers.ts';
import { benchPageDiff } from './page/page-diff.ts';
import { benchAttach } from './pane/attach.ts';
import { benchIsolation } from './pane/isolation.ts';
import { benchPaneAccuracy } from './pane/pane-accuracy.ts';
import { benchPanes } from './pane/panes.ts';
import { benchTyping } from './pane/typing.ts';
import { benchActorsMemory } from './registry/actors-memory.ts';
import { benchAgentsCreate } from './registry/agents-create.ts';
import { benchAgentsList } from './registry/agents-list.ts';
import { benchBusSeal } from './registry/bus-seal.ts';
import { benchControlPlane } from './registry/control-plane.ts';
import { benchControlPlaneWatches } from './registry/control-plane-watches.ts';
import { benchFleet } from './registry/fleet.ts';
import { benchForgeSweep } from './registry/forge-sweep.ts';
import { benchHosts } from './registry/hosts.ts';
import { benchRestartReady } from './registry/restart-ready.ts';
import { benchReview } from './registry/review.ts';
import { benchRings } from './registry/rings.ts';
import { benchStatements } from './registry/statements.ts';
import { benchCli } from './rpc/cli.ts';
import { benchOverload } from './rpc/overload.ts';
import { benchPackage } from './rpc/package.ts';
import { benchRpcChannels } from './rpc/rpc-channels.ts';
import { benchRpcThroughput } from './rpc/rpc-throughput.ts';
import { benchToolList } from './rpc/tool-list.ts';
import { benchSchedulesDue } from './schedule/schedules-due.ts';
import { benchSchedulesOracle } from './schedule/schedules-oracle.ts';
import { benchSchedulesStorm } from './schedule/schedules-storm.ts';
import { Homes } from './stage/homes.ts';
import { loadInWords, say } from './stage/report.ts';

const benches: Readonly<Record<string, (homes: Homes, sizes: readonly number[], against?: string) => Promise<void>>> = {
  'agents:create': benchAgentsCreate,
  'agents:list': benchAgentsList,
  'rpc:throughput': benchRpcThroughput,
  'rpc:channels': benchRpcChannels,
  'tools:list': benchToolList,
  'bus:seal': benchBusSeal,
  overload: benchOverload,
  cli: benchCli,
  package: benchPackage,
  'restart:ready': benchRestartReady,
  'actors:memory': benchActorsMemory,
  'panes:accuracy': benchPaneAccuracy,
  panes: benchPanes,
  page: benchPage,
  'page:answers': benchPageAnswers,
  'page:diff': benchPageDiff,
  typing: benchTyping,
  attach: benchAttach,
  isolation: benchIsolation,
  review: benchReview,
  'schedules:due': benchSchedulesDue,
  'schedules:oracle': benchSchedulesOracle,
  'schedules:storm': benchSchedulesStorm,
  'forge:sweep': benchForgeSweep,
  statements: benchStatements,
  'control-plane': benchControlPlane,
  'control-plane:watches': benchControlPlaneWatches,
  hosts: benchHosts,
  rings: benchRings,
  fleet: () => benchFleet(drilled),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string' },
    seed: { type: 'string', default: '20261127' },
    faults: { type: 'string', default: '22' },
    write: { type: 'boolean', default: false },
  },
});
const drilled = { seed: Number(values.seed), faults: Number(values.faults), isWritten: values.write };
const [names, sizes] = [positionals.filter(isName), positionals.filter(isSize).map(Number)];
const against = values.against === undefined ? undefined : resolve(values.against);
const unknown = names.find((name) => !Object.hasOwn(benches, name));
if (unknown === undefined) await run(names.length > 0 ? names : Object.keys(benches));
else {
  process.stderr.write(`There is no bench ${unknown}: there are ${Object.keys(benches).join(', ')}\n`);
  process.exitCode = 2;
}

function isSize(argument: string): boolean {
  return /^[1-9]\d*$/.test(argument);
}

function isName(argument: string): boolean {
  return !isSize(argument);
}

async function run(wanted: readonly string[]): Promise<void> {
  const homes = new Homes();
  // Processes that a bench started end on their own once their parent is gone.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void homes.remove().finally(() => process.exit(1)));
  }
  try {
    for (const name of wanted) {
      say(`\n# ${name}: ${loadInWords()}`);
      await benches[name]?.(homes, sizes, against);
    }
    say(`\nafter the last one: ${loadInWords()}`);
  } finally {
    await closeSharedBrowser();
    await homes.remove();
  }
}
