import { expect } from 'chai';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { CheckoutWatch } from '#actors/host/watch/checkout-watch.ts';
import type { AgentEvent, CheckoutFacts } from '#machines/agent/agent-context.ts';
import { GitFixture } from '#test/world/git-fixture.ts';

describe('the watch on checkouts', () => {
  let fixture: GitFixture;
  beforeEach(() => {
    fixture = new GitFixture();
  });
  afterEach(() => fixture.dispose());

  it('reports each change at the next check, also after many checks without one', async () => {
    const path = fixture.repository('r');
    const reported: (CheckoutFacts | 'gone')[] = [];
    const context: Record<string, unknown> = {
      provision: true,
      worktree: { path },
      checkout: {},
      worktreeRemoved: false,
    };
    const actor = {
      record: { launch: { cwd: path } },
      context,
      send(event: Extract<AgentEvent, { type: 'CHECKOUT_READ' }>) {
        Object.assign(context, { checkout: event.checkout, worktreeRemoved: event.worktreeGone });
        reported.push(event.worktreeGone ? 'gone' : event.checkout);
      },
    } as unknown as AgentActor;
    // As if nothing had been written for a while whenever it looks.
    const watch = new CheckoutWatch({ now: () => Date.now() + 10_000 });
    const lookOften = async (): Promise<void> => {
      for (let look = 0; look < 4; look += 1) await watch.check(actor);
    };
    await lookOften();
    expect(reported.splice(0)).to.have.length(1);
    const headSha = fixture.commit('r', 'second');
    await lookOften();
    expect(reported.splice(0)).to.deep.equal([{ branch: 'main', headSha, sequenceInProgress: false }]);
    fixture.git('r', 'switch', '-q', '-c', 'other');
    await lookOften();
    expect(reported.splice(0)).to.deep.equal([{ branch: 'other', headSha, sequenceInProgress: false }]);
    const again = fixture.commit('r', 'third');
    await watch.check(actor);
    expect(reported.splice(0)).to.deep.equal([{ branch: 'other', headSha: again, sequenceInProgress: false }]);
    fixture.git('.', 'init', '-q', 'elsewhere');
    context['worktree'] = { path: fixture.path('elsewhere') };
    await lookOften();
    expect(reported.splice(0)).to.deep.equal([{ branch: 'main', sequenceInProgress: false }]);
    context['worktree'] = { path: fixture.path('nowhere') };
    await lookOften();
    expect(reported).to.deep.equal(['gone']);
  });
});
