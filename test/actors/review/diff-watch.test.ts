import { expect } from 'chai';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { DiffWatch } from '#actors/host/review/diff-watch.ts';
import type { AgentContext, AgentEvent } from '#machines/agent/agent-context.ts';
import { GitFixture } from '#test/world/git-fixture.ts';

describe('the watch on diffs', () => {
  let fixture: GitFixture;
  let now: number;
  let warnings: number;
  let watch: DiffWatch;
  beforeEach(() => {
    fixture = new GitFixture();
    fixture.repository('r', { 'a.txt': 'one\ntwo\n', 'gone.txt': 'x\ny\n' });
    now = 0;
    warnings = 0;
    const log = { warn: () => (warnings += 1) } as unknown as ConstructorParameters<typeof DiffWatch>[1];
    watch = new DiffWatch({ now: () => now }, log);
  });
  afterEach(() => fixture.dispose());

  function launched(name: string): { actor: AgentActor; context: { -readonly [K in keyof AgentContext]?: unknown } } {
    fixture.git('r', 'worktree', 'add', '-q', '-b', name, fixture.path(name));
    const worktree = {
      repository: fixture.path('r', '.git'),
      path: fixture.path(name),
      branch: name,
      baseSha: fixture.git('r', 'rev-parse', 'main'),
      copied: [],
    };
    const context: Record<string, unknown> = {
      name,
      firstName: name,
      provision: true,
      scripts: [],
      state: 'AGENT_STATE_IDLE',
      reason: '',
      prepared: true,
      worktree,
      worktreeRemoved: false,
      checkout: { branch: name, headSha: worktree.baseSha },
      briefed: true,
      archived: false,
      force: false,
    };
    const actor = {
      record: { id: name, launch: {}, snapshot: { value: 'live', context } },
      context,
      send: (event: Extract<AgentEvent, { type: 'CHECKOUT_READ' }>) => Object.assign(context, event),
    } as unknown as AgentActor;
    return { actor, context };
  }

  const later = (): void => {
    now += 30_000;
  };

  it('counts commits, edits, removed and untracked files since the base', async () => {
    const { actor, context } = launched('work');
    fixture.write('work/a.txt', 'one\nzwei\ndrei\n');
    fixture.commit('work', 'edit');
    fixture.write('work/new.txt', 'a\nb\nc\n');
    fixture.write('work/image.bin', Buffer.from([0, 1, 2, 10, 3]));
    fixture.git('work', 'rm', '-q', 'gone.txt');
    await watch.measureNext([actor]);
    expect(context.checkout).to.deep.include({ branch: 'work', diff: { files: 4, additions: 5, deletions: 3 } });
    expect(warnings).to.equal(0);
  });

  it('measures an agent again when it comes to rest, and reports the end of all differences', async () => {
    const { actor, context } = launched('work');
    fixture.write('work/new.txt', 'a\n');
    context.state = 'AGENT_STATE_THINKING';
    await watch.measureNext([actor]);
    expect(context.checkout).to.have.property('diff');
    fixture.git('work', 'clean', '-fdq');
    await watch.measureNext([actor]);
    expect(context.checkout, 'at work it is not measured at each look').to.have.property('diff');
    context.state = 'AGENT_STATE_IDLE';
    await watch.measureNext([actor]);
    expect(context.checkout).not.to.have.property('diff');
  });

  it('measures every half minute at work, and at rest only after a change', async () => {
    const { actor, context } = launched('work');
    await watch.measureNext([actor]);
    fixture.write('work/new.txt', 'a\n');
    later();
    await watch.measureNext([actor]);
    expect(context.checkout, 'at rest').not.to.have.property('diff');
    context.heldAt = 1;
    await watch.measureNext([actor]);
    expect(context.checkout, 'held by a person').to.have.property('diff');
  });

  it('reports an unreadable worktree once, and measures the others', async () => {
    const [broken, whole] = [launched('broken'), launched('whole')];
    fixture.write('broken/.git', 'gitdir: /nowhere\n');
    fixture.write('whole/new.txt', 'a\n');
    for (let look = 0; look < 4; look += 1) {
      await watch.measureNext([broken.actor, whole.actor]);
      later();
    }
    expect(whole.context.checkout).to.have.property('diff');
    expect(warnings).to.equal(1);
  });

  it('rests after a measurement, so that a large fleet does not overload the machine', async () => {
    const [one, other] = [launched('one'), launched('other')];
    fixture.write('one/new.txt', 'a\n');
    fixture.write('other/new.txt', 'a\n');
    const slow = new DiffWatch({ now: () => (now += 100) }, { warn: () => {} } as never);
    const both = [one.actor, other.actor];
    const measured = () => both.filter(({ context: { checkout } }) => checkout.diff !== undefined).length;
    for (let look = 0; look < 10; look += 1) await slow.measureNext(both);
    expect(measured()).to.equal(1);
    now += 10_000;
    await slow.measureNext(both);
    expect(measured()).to.equal(2);
  });
});
