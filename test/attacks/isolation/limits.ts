import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import { hasSandbox } from '#test/support/has-sandbox.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak, isSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { groupsIn } from '#world/isolation/cgroup.ts';
import { findCgroupPlace } from '#world/isolation/cgroup-place.ts';
import type { IsolatedAgents } from './isolated-agents.ts';

const place = findCgroupPlace();
if (typeof place === 'string') console.log(`Without limits: ${place}`);

const limitsProcessors = typeof place !== 'string' && place.folders.cpu !== undefined;
const processors = limitsProcessors ? ['--cpu-percent', '150'] : [];

/** Where a service writes which control groups it has made. */
export const recordOf = (agents: IsolatedAgents) => agents.at('state', 'cgroups.json');

/** The folder with the control groups of a service's agents; undefined if they have no limits here. */
export function limitsFolderOf(agents: IsolatedAgents): string | undefined {
  if (!existsSync(recordOf(agents))) return undefined;
  return (JSON.parse(readFileSync(recordOf(agents), 'utf8')) as { folders: { memory: string } }).folders.memory;
}

/** What each agent does, by its limit, and what its row then says. None would harm this machine without a limit. */
const hogs = {
  memory: ['--memory-mib', '128', 'head -c 300M /dev/zero | tail', '128 MiB of memory'],
  processes: [
    '--max-processes',
    '60',
    'bomb() { [ $1 -gt 8 ] || bomb $(($1 + 1)) | bomb $(($1 + 1)) & }; bomb 0',
    '60 processes',
  ],
  disk: ['--disk-mib', '40', 'head -c 200M /dev/zero > filler', '40 MiB of disk'],
} as const;

/** Tests the limits of agents, on a service that runs. Its caller checks what is left of them after its end. */
export function testLimits(agentsOf: () => IsolatedAgents): void {
  (typeof place === 'string' ? describe.skip : describe)('an agent with limits', () => {
    let agents: IsolatedAgents;
    const record = () => recordOf(agents);
    /** The folder in which the control groups of its agents are. */
    let folder = '';
    const groups = (): string[] => groupsIn(folder).map((path) => basename(path));
    /** The row of an agent whose CLI has ended. */
    const ended = (name: string): Promise<Agent> =>
      moment(`${name} to be ended`, async () => {
        const row = await agents.row(name);
        return row.ending?.kind === undefined ? undefined : row;
      });

    before(async () => {
      agents = agentsOf();
      const limits = ['--memory-mib', '256', '--max-processes', '100', ...processors];
      await agents.workflow('limited', '--isolation', 'none', ...limits);
      await agents.muster('new', 'true', '-w', 'limited', '-t', 'neighbour');
      await agents.idle('neighbour');
      folder = limitsFolderOf(agents) ?? '';
    });

    // The suite tries a limit of each isolation, a soak all of them with each.
    const inSuite = hasSandbox
      ? ([
          ['none', ['processes']],
          ['sandbox', ['memory', 'disk']],
        ] as const)
      : ([['none', ['processes', 'memory', 'disk']]] as const);
    for (const [isolation, limits] of inSuite) {
      it(`is ended by each, and nobody else is, with isolation ${isolation}`, async () => {
        const tried = isSoak ? (['memory', 'processes', 'disk'] as const) : someOf<keyof typeof hogs>(limits);
        const all = tried.map((limit) => {
          const [option, value, hog, text] = hogs[limit];
          return { name: `${limit}-${isolation}`, option, value, hog, text };
        });
        for (const { name, option, value } of all) {
          await agents.workflow(name, '--isolation', isolation, option, value);
          await agents.muster('new', 'true', '-w', name, '-t', name);
        }
        for (const { name } of all) await agents.idle(name);
        // An agent may end before its prompt is seen to be accepted, which is then reported as a failure.
        for (const { name, hog } of all) await agents.muster('prompt', name, hog).catch(() => undefined);
        for (const { name, text } of all) {
          const row = await ended(name);
          expect(row.ending).to.deep.equal({ kind: 'AGENT_ENDING_KIND_LIMIT', exceeded: text });
          expect(row.stateReason).to.match(new RegExp(`^ended: used more than ${text}`));
          expect(await agents.muster('why', name)).to.include(`used more than ${text}`);
          await moment('its group to be gone', () => !groups().includes(row.id ?? ''));
        }
        expect(await agents.inPane('neighbour', 'echo untouched')).to.equal('untouched\n');
        expect(await agents.muster('facts')).to.include(`exceeded ${all[0]?.text}`);
      });
    }

    (limitsProcessors ? it : it.skip)('has its processors limited by the kernel, as its workflow shows', async () => {
      const { folders } = JSON.parse(readFileSync(record(), 'utf8')) as { folders: { cpu?: string } };
      expect(await agents.muster('workflow', 'show', 'limited')).to.include('150 % of a processor');
      const { id = '' } = await agents.row('neighbour');
      const quotas = ['cpu.max', 'cpu.cfs_quota_us'].map((name) => join(folders.cpu ?? '', id, name));
      const quota = quotas.find((file) => existsSync(file)) ?? '';
      expect(readFileSync(quota, 'utf8')).to.match(/^150000\b/);
    });

    inSoak('also has them while it is set up, as its workflow says', async () => {
      const setup = ['--memory-mib', '64', '--setup', 'head -c 200M /dev/zero | tail'];
      await agents.workflow('prepared', '--isolation', 'none', ...setup);
      await agents.muster('new', 'true', '-w', 'prepared', '-t', 'prepared');
      expect(await agents.muster('workflow', 'show', 'prepared')).to.match(/^may use +64 MiB of memory$/m);
      const why = 'preparing: the setup script was ended: used more than 64 MiB of memory';
      expect(await agents.failure('prepared')).to.include(why);
    });
  });
}
