import { expect } from 'chai';
import type { AgentRole } from '#contract/agent/agent.ts';
import { type Operation, toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { isSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { type Channel, channels, codeOf, doorOf, rowOf } from './channel.ts';
import { decided, grantTo, type Role, type Target } from './decided.ts';
import { type Instance, startInstance } from './instance.ts';
import { paneAtWork } from './pane-at-work.ts';
import { trials } from './requests.ts';
import { settled } from './settled.ts';

/** Operations that are allowed and fail for the current state: neither an orchestrator nor a child has children. */
const impossible = new Set(['CreateAgent by an orchestrator about itself', 'CreateAgent by a child about itself']);

/** Those who call: a child has a role too. */
const callers = {
  'an implementer': {
    role: 'implementer',
    about: ['itself', 'its child', 'one that it launched', 'another', 'a child of another'],
  },
  'a reviewer': {
    role: 'reviewer',
    about: ['itself', 'its child', 'one that it launched', 'another', 'a child of another'],
  },
  'an orchestrator': {
    role: 'orchestrator',
    about: ['itself', 'one that it launched', 'another', 'a child of another'],
  },
  'a child': { role: 'reviewer', about: ['itself', 'its parent', 'its sibling', 'another', 'a child of another'] },
} as const satisfies Record<string, { role: Role; about: readonly Target[] }>;
type CallerName = keyof typeof callers;
const callerNames = Object.keys(callers) as CallerName[];

/** An agent that calls, and those around it. */
type Scene = Readonly<Partial<Record<Target, string>>> & { readonly itself: string };

describe('the rights of callers on every channel', () => {
  let instance: Instance;
  let ended: string;
  let turn = 0;
  /** The traces as they are, if no call since was allowed. */
  let known: unknown;
  const scenes = new Map<CallerName, Scene>();

  before(async () => {
    instance = await startInstance();
    instance.fixture.host.pane = paneAtWork;
    for (const name of callerNames) scenes.set(name, await sceneOf(name));
    const { id } = await instance.fixture.create({ provisionEnabled: false });
    ended = instance.fixture.tokenOf(id);
    await instance.fixture.call('ArchiveAgent', { agentId: id });
  });
  after(() => instance.close());

  async function agent(role: Role | undefined, parentAgentId?: string, by?: string): Promise<string> {
    const { fixture } = instance;
    const given = role === undefined ? {} : { role: `AGENT_ROLE_${role.toUpperCase()}` as AgentRole };
    const placed = parentAgentId === undefined ? { provisionEnabled: false } : { parentAgentId };
    const { id } = await fixture.create({ ...given, ...placed }, by === undefined ? 'person' : { agentId: by });
    await fixture.host.bringUp(id);
    return id;
  }

  /** The agents around a caller: all of them, or only the one that a call is about. */
  async function sceneOf(name: CallerName, about?: Target): Promise<Scene> {
    const { role } = callers[name];
    const made = async (target: Target, make: () => Promise<string>): Promise<Partial<Record<Target, string>>> =>
      about === undefined || about === target ? { [target]: await make() } : {};
    const strangers = async () => {
      if (about !== undefined && about !== 'another' && about !== 'a child of another') return {};
      const another = await agent('implementer');
      return { another, ...(await made('a child of another', () => agent(undefined, another))) };
    };
    if (name === 'a child') {
      const parent = await agent('implementer');
      const itself = await agent(undefined, parent);
      const sibling = await made('its sibling', () => agent(undefined, parent));
      return { itself, 'its parent': parent, ...sibling, ...(await strangers()) };
    }
    const itself = await agent(role);
    const launched = await made('one that it launched', () => agent('implementer', undefined, itself));
    const child = role === 'orchestrator' ? {} : await made('its child', () => agent(undefined, itself));
    return { itself, ...launched, ...child, ...(await strangers()) };
  }

  /** The agents that a caller calls about; only one if the request names none. */
  function targetsOf(row: Operation, name: CallerName): readonly Target[] {
    const request = trials[row.method]?.request;
    const namesOne = JSON.stringify(request?.('agt_a')) !== JSON.stringify(request?.('agt_b'));
    const { about } = callers[name];
    return namesOne ? about : about.slice(0, 1);
  }

  /**
   * The channels that a call is tried over: one after the other in the suite, since the registry decides, which does
   * not know the channel; each over all in a soak.
   */
  function tried(): readonly Channel[] {
    turn += 1;
    return isSoak ? channels : channels.slice(turn % channels.length).slice(0, 1);
  }

  async function allowed(row: Operation, name: CallerName, about: Target): Promise<void> {
    const trial = trials[row.method];
    known = undefined;
    for (const channel of tried()) {
      const kept = trial?.endsAgent ? await sceneOf(name, about) : (scenes.get(name) as Scene);
      const agentId = kept[about] ?? '';
      const request = { ...trial?.request(agentId), ...(await trial?.prepare?.(instance.fixture, agentId)) };
      const outcome = await channel.call(doorOf(instance, await instance.fixture.tokenFor(kept.itself)), row, request);
      const what = `${row.method} by ${name} about ${about}`;
      if (impossible.has(what)) expect(codeOf(outcome), what).to.equal('failed_precondition');
      else expect(outcome, `${what} over ${channel.name}`).to.have.property('answer');
    }
  }

  async function refused(row: Operation, name: CallerName, about: Target): Promise<void> {
    const scene = scenes.get(name) as Scene;
    const whole = { ...trials[row.method]?.refused?.request, ...trials[row.method]?.request(scene[about] ?? '') };
    for (const channel of tried()) {
      const outcome = await channel.call(doorOf(instance, instance.fixture.tokenOf(scene.itself)), row, whole);
      expect(codeOf(outcome), `${row.method} by ${name} about ${about} over ${channel.name}`).to.equal(
        'permission_denied',
      );
    }
  }

  it('are decided for every operation', () => {
    const methods = operations.map(({ method }) => method);
    expect(
      methods.filter((method) => decided[method] === undefined),
      'operations that nobody decided on: write them into `decided`',
    ).to.deep.equal([]);
  });

  for (const name of callerNames) {
    it(`list to ${name} its own tools only`, async () => {
      const [, mcp] = channels;
      const { itself } = scenes.get(name) as Scene;
      const listed = await mcp?.offered(doorOf(instance, instance.fixture.tokenOf(itself)));
      const usable = operations.filter(({ method }) => grantOf(method, name) !== undefined);
      expect(listed).to.deep.equal(usable.map(toolName));
    });
  }

  for (const [place, row] of operations.entries()) {
    for (const name of callerNames) {
      const grant = grantOf(row.method, name) ?? [];
      const targets = targetsOf(row, name);
      const granted = targets.filter((about) => grant.includes(about));
      // One in turn, since each may need agents of its own; a soak has all.
      const may = someOf(granted, place, granted.length);
      const mayNot = targets.filter((about) => !grant.includes(about));

      if (may.length > 0) {
        it(`let ${name} do ${row.method} about ${may.join(', ')}`, async () => {
          for (const about of may) await allowed(row, name, about);
        });
      }
      if (mayNot.length > 0) {
        it(`refuse ${row.method} to ${name} about ${mayNot.join(', ')}, without effect`, async () => {
          await leavingNothing(async () => {
            for (const about of mayNot) await refused(row, name, about);
          });
        });
      }
    }

    it(`refuse ${row.method} to unknown and former callers`, async () => {
      const request = { ...trials[row.method]?.refused?.request, ...trials[row.method]?.request('agt_none') };
      await leavingNothing(async () => {
        for (const token of someOf([undefined, 'mst_nobody', ended], place)) {
          for (const channel of tried()) {
            const outcome = await channel.call(doorOf(instance, token), row, request);
            expect(codeOf(outcome), channel.name).to.equal('unauthenticated');
          }
        }
      });
    });
  }

  it('let only a person make an orchestrator', async () => {
    const row = rowOf('CreateAgent');
    const { id: workflowId } = await instance.fixture.workflow();
    const request = { prompt: 'Lead them', workflowId, role: 'AGENT_ROLE_ORCHESTRATOR', provisionEnabled: false };
    for (const channel of channels) {
      for (const name of callerNames) {
        const token = instance.fixture.tokenOf((scenes.get(name) as Scene).itself);
        expect(codeOf(await channel.call(doorOf(instance, token), row, request))).to.equal('permission_denied');
      }
      const { operatorToken } = instance.fixture;
      expect(await channel.call(doorOf(instance, operatorToken), row, request)).to.have.property('answer');
    }
  });

  it('show facts next to watched agents only to a person', async () => {
    const row = rowOf('WatchAgents');
    for (const channel of channels) {
      for (const name of callerNames) {
        const door = doorOf(instance, instance.fixture.tokenOf((scenes.get(name) as Scene).itself));
        const refused = await channel.call(door, row, { factKinds: ['review.'] });
        expect(codeOf(refused), `${name} over ${channel.name}`).to.equal('permission_denied');
        expect(await channel.call(door, row, {})).to.have.property('answer');
      }
      const door = doorOf(instance, instance.fixture.operatorToken);
      expect(await channel.call(door, row, { factKinds: ['review.'] })).to.have.property('answer');
    }
  });

  /** Makes calls that must leave nothing behind. What was there before is known if the last calls left nothing. */
  async function leavingNothing(calls: () => Promise<void>): Promise<void> {
    const before = known ?? (await traces());
    known = undefined;
    await calls();
    const after = await traces();
    expect(after).to.deep.equal(before);
    known = after;
  }

  /** What a call leaves behind if it does anything: a fact, or keys in a pane. */
  async function traces(): Promise<unknown> {
    await settled(instance.fixture);
    const { facts } = await instance.fixture.call<{ facts: { detail: string }[] }>('ListFacts', { pageSize: 20 });
    // The review status against an allowed round is measured afterwards.
    return [facts.find(({ detail }) => !detail.includes('treeStanding')), instance.fixture.host.typed.length];
  }
});

function grantOf(method: string, name: CallerName): readonly Target[] | undefined {
  return grantTo(method, callers[name].role, name === 'a child');
}
