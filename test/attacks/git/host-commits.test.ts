import { expect } from 'chai';
import { getShortestPaths } from 'xstate/graph';
import { decidedCommit } from '#actors/registry/host/decided-commit.ts';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import { hostEventTypes } from '#contract/wire/host-event.ts';
import { agentMachine } from '#machines/agent/agent.ts';
import type { AgentContext, AgentEvent } from '#machines/agent/agent-context.ts';
import { agentDefinition, phaseOf, viewOf } from '#machines/agent/agent-view.ts';
import { decide } from '#machines/decide.ts';
import { type Phase, phases, sampleEvents } from '#test/machines/agent/agent-events.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import { failureOf } from '#test/support/failure.ts';

/** What begins at the registry alone, whatever a host says. */
const registryOnly = [
  'RETRY',
  'ARCHIVE',
  'RESTORE',
  'DELETE',
  'RENAME',
  'HOLD',
  'UNHOLD',
  'BUDGET_SPENT',
  'BUDGET_CONTINUED',
  'PARK',
  'UNPARK',
  'LEFT_LIMITED',
  'DEADLINE',
  'ABANDON',
  'HOST_LOST',
  'HOST_BACK',
  'MOVE',
  'CANCEL_MOVE',
  'CONNECTIONS_ALLOWED',
];

const place = (hostId: string) => ({ hostId, host: hostId, cwd: '/repo' });
/** What begins and ends a move: `test/machines/agent/move.test.ts` has what follows. */
const moveOrders: readonly AgentEvent[] = [
  { type: 'MOVE', order: { id: 'mov_1', from: place('hst_1'), to: place('hst_2'), known: [] } },
  { type: 'CANCEL_MOVE' },
];
/** What a host reports of a move, in whose phases alone it is possible. */
const moveReports = ['PACKED', 'UNPACKED'];

/** Snapshots of every phase, with a worktree and without, held and not, by shortest paths of events. */
function snapshotsByPhase(): ReadonlyMap<string, readonly StoredSnapshot[]> {
  const scripts = ['setup', 'teardown', 'onIdle', 'onWaiting'] as const;
  const known = ({ worktree, paneId, heldAt, archived, cleanup, briefed }: AgentContext) => [
    worktree !== undefined,
    paneId !== undefined,
    heldAt !== undefined,
    archived,
    cleanup,
    briefed,
  ];
  const paths = getShortestPaths(agentMachine, {
    input: { name: 'a', provision: true, scripts },
    events: [...sampleEvents],
    limit: 20_000,
    serializeState: (snapshot) => JSON.stringify([snapshot.value, known(snapshot.context)]),
  });
  return Map.groupBy(
    paths.map(({ state: { value, context } }) => ({ value, context })),
    ({ value }) => phaseOf(value),
  );
}

const launch: AgentRecord['launch'] = {
  name: 'a',
  harness: 'claude',
  flags: '',
  cwd: '/repo',
  briefing: '',
  provision: true,
  copyFiles: [],
  scripts: {},
  sessionId: '',
};

function recordOf(snapshot: StoredSnapshot): AgentRecord {
  const { value, context, version } = snapshot;
  const told = { value, context, ...(version !== undefined && { version }) };
  return { id: 'agt_1', family: 'agt_1', hostId: 'hst_1', epoch: 1, version: 7, snapshot: told, launch, effects: [] };
}

/** A host that lies about what its own agent has become. */
describe('an attack with a host’s commits of its own agents', () => {
  const snapshots = snapshotsByPhase();
  const lie = (record: AgentRecord, to: StoredSnapshot, event: AgentEvent | undefined): AgentCommit => ({
    agentId: record.id,
    epoch: record.epoch,
    version: record.version,
    snapshot: { value: to.value, context: to.context },
    effects: [{ kind: 'openWindow', params: { resume: true } }],
    done: [],
    facts: [{ kind: 'review.released', detail: {} }],
    deadlines: { archiving: null },
    ...(event && { event: { ...event } }),
  });
  const pairs = phases.flatMap((from) => phases.map((to): [Phase, Phase] => [from, to]));

  it('has no event without a declared owner', () => {
    const types = new Set([...sampleEvents, ...moveOrders].map(({ type }) => type as string));
    expect([...registryOnly, ...hostEventTypes].toSorted()).to.deep.equal([...types, ...moveReports].toSorted());
  });

  it('moves no agent between phases with false reports', () => {
    expect([...snapshots.keys()].toSorted()).to.deep.equal([...phases].toSorted());
    for (const [from, to] of pairs) {
      for (const before of snapshots.get(from) ?? []) {
        const record = recordOf(before);
        const [after = before] = snapshots.get(to) ?? [];
        const made = decidedCommit(record, lie(record, after, undefined));
        expect([made.snapshot, made.effects, made.facts, made.deadlines], `${from} to ${to}`).to.deep.equal([
          record.snapshot,
          [],
          [],
          {},
        ]);
      }
    }
  });

  it('starts nothing that only the registry starts, in any phase', () => {
    for (const [from, to] of pairs) {
      for (const event of [...sampleEvents, ...moveOrders].filter(({ type }) => registryOnly.includes(type))) {
        const [before] = snapshots.get(from) ?? [];
        const [after] = snapshots.get(to) ?? [];
        const record = recordOf(before as StoredSnapshot);
        const attempt = () => decidedCommit(record, lie(record, after as StoredSnapshot, event));
        expect(attempt, `${event.type} from ${from} to ${to}`).to.throw(Failure, 'A host cannot send');
      }
    }
  });

  it('transitions an agent only as its machine does, never out of the archive, a hold or deletion', () => {
    for (const [from, standing] of snapshots) {
      for (const before of standing) {
        const record = recordOf(before);
        for (const event of sampleEvents.filter(({ type }) => hostEventTypes.includes(type))) {
          const decision = decide(agentDefinition, before, event);
          const attempt = () => decidedCommit(record, lie(record, before, event));
          if (decision === undefined) {
            expect(attempt, `${event.type} in ${from}`).to.throw(Failure, 'is not possible');
            continue;
          }
          const made = attempt();
          expect(made.snapshot.value, `${event.type} in ${from}`).to.deep.equal(decision.snapshot.value);
          const [was, is] = [viewOf(before), viewOf(made.snapshot)];
          if (was.phase === 'archived' || was.gone) expect(is.phase, `${event.type} in ${from}`).to.equal(was.phase);
          if (from === 'archived') expect(is.archived, `${event.type} in ${from}`).to.equal(true);
          expect([is.heldAt, is.name], `${event.type} in ${from}`).to.deep.equal([was.heldAt, was.name]);
        }
      }
    }
  });

  describe('at a registry', () => {
    let fixture: RegistryFixture;
    before(async () => {
      fixture = await registryFixture();
    });
    after(() => fixture.close());

    it('restores nothing archived or deleted, and gets no token for it', async () => {
      const { registry } = fixture.host;
      const { id } = await fixture.create({ provisionEnabled: false });
      const alive = await fixture.host.bringUp(id);
      const ends: readonly [method: string, standing: string][] = [
        ['ArchiveAgent', 'archived'],
        ['DeleteAgent', 'gone'],
      ];
      for (const [method, phase] of ends) {
        await fixture.call(method, { agentId: id });
        await fixture.host.tell(id, { type: 'PANE_CLOSED' });
        const over = await registry.load(id);
        expect(over.snapshot.value).to.equal(phase);
        const forged = { ...lie(over, alive.snapshot, undefined), facts: [], deadlines: {} };
        await registry.commit(forged);
        const now = await registry.load(id);
        expect([now.snapshot, now.effects]).to.deep.equal([over.snapshot, []]);
        const restore = { ...forged, version: now.version, event: { type: 'RESTORE' } };
        expect((await failureOf(() => registry.commit(restore))).code).to.equal('permission_denied');
        const opened = { ...forged, version: now.version, event: { type: 'WINDOW_OPENED', paneId: '%1' } };
        expect((await failureOf(() => registry.commit(opened))).code).to.equal('failed_precondition');
        const nonsense = { ...forged, version: now.version, event: { type: 'WINDOW_OPENED', paneId: 7 } };
        expect((await failureOf(() => registry.commit(nonsense))).code).to.equal('invalid_argument');
        const token = await registry.token(id, over.epoch, 'window').catch(() => undefined);
        expect(token).to.equal(undefined);
      }
    });

    it('reports no time that calendars do not have, which no row could show', async () => {
      const { registry } = fixture.host;
      const { id } = await fixture.create({ provisionEnabled: false });
      const alive = await fixture.host.bringUp(id);
      const later = [-1, 8.64e15 + 1, Number.MAX_VALUE].flatMap((at) => [
        { type: 'PANE_GONE', reason: 'gone', briefed: true, at },
        { type: 'REPORTED', report: { reason: 'idle', at } },
        {
          type: 'READING',
          reading: { state: 'AGENT_STATE_IDLE', reason: 'usage-limit', limit: { kind: 'usage', until: at } },
        },
      ]);
      for (const event of later) {
        const forged = { ...lie(alive, alive.snapshot, undefined), facts: [], deadlines: {}, event };
        expect((await failureOf(() => registry.commit(forged))).code, JSON.stringify(event)).to.equal(
          'invalid_argument',
        );
      }
      expect((await fixture.call<{ agents: object[] }>('ListAgents')).agents).to.have.length(1);
    });
  });
});
