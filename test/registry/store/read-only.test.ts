import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import { operations } from '#contract/table.ts';
import { trials } from '#test/channels/requests.ts';
import { settled } from '#test/channels/settled.ts';
import { testForge } from '#test/forge/test-forge.ts';
import { isOnPostgres } from '#test/store/run-engine.ts';
import { someOf } from '#test/support/some-of.ts';
import { type As, type RegistryFixture, registryFixture } from '../registry-fixture.ts';
import { mine, type ReviewScene, reviewScene } from '../review/review-scene.ts';

describe('a read-only operation', () => {
  let fixture: RegistryFixture;
  let scene: ReviewScene;
  let callers: Readonly<Record<string, As>>;

  before(async () => {
    fixture = await registryFixture({ ceiling: 1_000, forgeTransport: testForge.transport });
    scene = await reviewScene(fixture);
    const [implementer, reviewer] = [mine(scene.implementer), mine(scene.reviewer)];
    const orchestrator = await fixture.create({ role: 'AGENT_ROLE_ORCHESTRATOR' });
    callers = { person: 'person', implementer, reviewer, orchestrator: mine(orchestrator) };
  });
  after(async () => {
    await fixture.close();
  });

  /** Every row of every table, except those that change with time: deadlines, leases, and the notifier's position. */
  async function everything(): Promise<Record<string, unknown[]>> {
    const { deadline: _deadlines, lease: _leases, ...tables } = await fixture.database.everyRow();
    const isKept = ({ name }: Record<string, unknown>): boolean => name !== 'notified-to';
    return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.filter(isKept)]));
  }

  /** Something for everybody to find: a round, a comment, an answer, mail and open doorbells. */
  async function news(): Promise<void> {
    await scene.round();
    const { id: threadId } = await scene.comment(callers['reviewer'] as As);
    await scene.release(callers['reviewer'] as As);
    await fixture.call('ReplyReviewThread', { threadId, body: 'Done.' }, callers['implementer']);
    await fixture.call('SendMail', { agentId: scene.implementer.id, body: 'hello' });
    await fixture.call('SendMail', { agentId: scene.reviewer.id, body: 'hello' });
  }

  // Each engine has half of them in the suite, the other one the rest.
  for (const [turn, { access, method }] of someOf([...operations.entries()], isOnPostgres ? 1 : 0, 2)) {
    const trial = trials[method];
    if (access !== 'read' || trial === undefined) continue;

    it(`writes nothing for any caller: ${method}`, async () => {
      const { id } = scene.implementer;
      await news();
      const request = { ...trial.request(id), ...(await trial.prepare?.(fixture, id)) };
      await settled(fixture);
      const before = await everything();
      for (const [who, as] of someOf(Object.entries(callers), Math.floor(turn / 2), 2)) {
        await fixture.call(method, request, as).catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error;
        });
        await settled(fixture);
        expect(await everything(), who).to.deep.equal(before);
      }
    });
  }
});
