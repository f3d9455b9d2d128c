import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import { moment } from '#test/support/moment.ts';
import { ownProgram, type Piece, type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { timesOf } from '#test/support/soak.ts';
import { findSurvivor } from '#world/process/pid-file.ts';
import { runningFamilies } from '#world/tmux/terminals.ts';
import { type Cast, type Ground, launchCast, makeWorkflows, type Part } from './cast.ts';
import { inspectorFile } from './inspector-file.ts';
import { growth, type Holdings, highest, WatchedProcess } from './watched-process.ts';

const service = 'agent.v1.AgentService';
const preload = fileURLToPath(new URL('./inspected.ts', import.meta.url));
/** Two rounds are for what is loaded or opened once. */
const rounds = 2 + timesOf('MUSTER_TEST_ROUNDS', 1, 10);
/** The classes whose objects a host holds for an agent or its family. */
const held = ['AgentActor', 'PaneWatch', 'FamilyTerminal', 'Seat'] as const;
/** How long to wait for resources that end on their own, in milliseconds. */
const calmWithin = 40_000;
/** How many snapshots are taken of a process before it must hold nothing more. */
const baselineLooks = 4;
/** How long a process is left alone between two looks at all that it holds, in milliseconds. */
const lookEvery = 500;

/** As the product starts it, with an inspector that the test can ask. */
function inspectedProgram(piece: Piece): ReturnType<typeof ownProgram> {
  const [program, ...rest] = ownProgram(piece);
  return [program, `--import=${preload}`, ...rest];
}

/** Of what is cached by text, a limited number: the rows of screens, the evidence of readings, and compiled statements. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: coloured rows have escape sequences
const cached = /\u001b\[|^command: |^select /;

describe('the end of an agent', function () {
  this.timeout(120_000 + rounds * 60_000);
  let pieces: Pieces;
  let ground: Ground;
  const watched = new Map<Piece, WatchedProcess>();

  before(async function () {
    if (process.platform !== 'linux') this.skip();
    pieces = await setUpPieces(inspectedProgram);
    for (const piece of ['registry', 'host', 'gateway'] as const) await start(piece);
    const [host] = await hosts();
    ground = { pieces, home: pieces.home, hostId: host?.id ?? '' };
  });
  after(async () => {
    for (const one of watched.values()) one.close();
    pieces?.signal('otherHost', 'SIGCONT');
    await pieces?.stop();
  });

  async function start(piece: Piece): Promise<WatchedProcess> {
    await pieces.start(piece);
    const pid = (await findSurvivor(join(pieces.home, 'run', `${piece}.pid`))) ?? 0;
    const [home, kind] = piece === 'otherHost' ? [pieces.otherHome, 'host'] : [pieces.home, piece];
    const process = await WatchedProcess.at(pid, join(home, inspectorFile(kind)));
    watched.set(piece, process);
    return process;
  }

  const hosts = async () => (await pieces.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {})).hosts;
  const act = (verb: string, cast: Cast, parts: readonly Part[], more: object = {}) =>
    Promise.all(
      parts.map((part) => pieces.call(`${service}/${verb}Agent`, { agentId: cast.agents.get(part), ...more })),
    );

  async function row(agentId: string): Promise<Agent | undefined> {
    try {
      return (await pieces.call<{ agent: AgentRow }>(`${service}/GetAgent`, { agentId })).agent.agent;
    } catch (error) {
      if (String(error).includes('404')) return undefined;
      throw error;
    }
  }

  const gone = (cast: Cast, parts: Iterable<Part>) =>
    Promise.all(
      [...parts].map((part) =>
        moment(`${part} is gone`, async () => (await row(cast.agents.get(part) ?? '')) === undefined),
      ),
    );

  /** Ends each agent of a cast in its way: deleted, deleted by force, or archived and then deleted. */
  async function end(cast: Cast): Promise<void> {
    await act('Unhold', cast, ['held', 'child']);
    await act('Archive', cast, ['lead', 'fired']);
    await act('Delete', cast, ['worktree', 'plain', 'held']);
    await act('Delete', cast, ['unsaved', 'reviewed'], { force: true });
    await gone(cast, ['worktree', 'plain', 'held', 'unsaved', 'reviewed', 'reviewer']);
    for (const part of ['lead', 'child', 'fired'] as const) {
      await moment(`${part} is archived`, async () => {
        const found = await row(cast.agents.get(part) ?? '');
        return found?.archivedAt !== undefined && found.alive !== true;
      });
    }
    // Archived agents have no actor and no watch.
    const archived = new Set<Part>(['lead', 'child', 'fired']);
    const { objects } = await calm(
      'host',
      [...cast.agents].flatMap(([part, id]) => (archived.has(part) ? [] : [id])),
    );
    for (const name of held) expect(objects[name] ?? 0, name).to.equal(0);
    await act('Delete', cast, ['lead', 'fired']);
    await gone(cast, cast.agents.keys());
    await cast.leave();
  }

  /** The resources of a process once none is kept under one of these ids, and there are no more than before. */
  async function calm(piece: Piece, ids: readonly string[], before?: Holdings): Promise<Holdings> {
    const words = ids.flatMap((id) => [id, id.slice(-8).toLowerCase()]);
    const deadline = performance.now() + calmWithin;
    for (;;) {
      const found = await watched.get(piece)?.holdings(words);
      if (found === undefined) throw new Error(`${piece} is not watched`);
      const kept = found.kept.filter((key) => !cached.test(key));
      const more = before
        ? [...growth(before.resources, found.resources), ...growth(before.objects, found.objects)]
        : [];
      if (kept.length + more.length === 0) return found;
      if (performance.now() > deadline) expect({ kept, more }, piece).to.deep.equal({ kept: [], more: [] });
      // Each snapshot walks the whole heap, which leaves the process little time to release anything.
      await pause(lookEvery);
    }
  }

  /** What the host holds at most while nothing happens, beginning with a first look. */
  async function settled(first: Holdings): Promise<Holdings> {
    const looks = [first];
    while (looks.length < baselineLooks) looks.push(await calm('host', []));
    return { ...first, resources: highest(looks.map(({ resources }) => resources)) };
  }

  /** Every file of the state folder, except the logs. */
  const files = () =>
    readdirSync(pieces.home, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('logs'));

  it(`leaves nothing on its host, in ${rounds} rounds`, async () => {
    const workflows = await makeWorkflows(ground);
    const ids: string[] = [];
    let before: { holdings: Holdings; files: string[] } | undefined;
    for (let round = 1; round <= rounds; round += 1) {
      const cast = await launchCast(ground, workflows, round);
      ids.push(...cast.agents.values());
      await end(cast);
      const holdings = await calm('host', ids, before?.holdings);
      if (before) expect(files()).to.have.members(before.files);
      if (round === 2) before = { holdings: await settled(holdings), files: files() };
    }
    expect(await runningFamilies(join(pieces.home, 'run'))).to.deep.equal([]);
  });

  it('leaves nothing on a host that was lost with its agents, forgotten, and returned', async () => {
    const process = await start('otherHost');
    const [other] = (await hosts()).filter(({ id }) => id !== ground.hostId);
    const far = { pieces, home: pieces.otherHome, hostId: other?.id ?? '' };
    await pieces.call('host.v1.HostService/DrainHost', { hostId: far.hostId, undo: true });
    const before = await process.holdings([]);
    const cast = await launchCast(far, await makeWorkflows(far), 0);
    await act('Unhold', cast, ['held', 'child']);
    await pieces.call('host.v1.HostService/UpdateHost', { hostId: far.hostId, patienceSeconds: 30 });
    pieces.signal('otherHost', 'SIGSTOP');
    await moment('the host is lost', async () =>
      (await hosts()).some(({ id, state }) => id === far.hostId && state === 'HOST_STATE_LOST'),
    );
    await act('Delete', cast, ['worktree', 'unsaved', 'plain', 'lead', 'reviewed', 'held', 'fired'], { abandon: true });
    await pieces.call('host.v1.HostService/ForgetHost', { hostId: far.hostId });
    await gone(cast, cast.agents.keys());
    await cast.leave();
    await calm('registry', [...cast.agents.values()]);
    pieces.signal('otherHost', 'SIGCONT');
    const after = await calm('otherHost', [...cast.agents.values()]);
    for (const name of held) expect(after.objects[name] ?? 0, name).to.equal(before.objects[name] ?? 0);
    // What it starts now and then, such as git, has ended at some moment; a connection to a terminal would stay.
    await moment(
      'no child is left',
      async () => (await process.holdings([])).resources['child'] === undefined,
      calmWithin,
    );
    // These were not ended, so that a person sees them.
    expect(await runningFamilies(join(pieces.otherHome, 'run'))).to.have.lengthOf(7);
  });
});
