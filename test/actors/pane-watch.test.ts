import { expect } from 'chai';
import type { AgentActor } from '#actors/host/agent-actor.ts';
import { PaneWatch } from '#actors/host/pane-watch.ts';
import { Roster } from '#actors/host/roster.ts';
import { moment } from '#test/support/moment.ts';
import { systemTimer } from '#world/timer.ts';
import { silent } from './actor-fixture.ts';
import { TerminalsStandIn } from './terminal-stand-in.ts';

const family = 'agt_one';
const actor = {
  record: { id: family, family, launch: { harness: 'shell' } },
  context: { paneId: '%1' },
} as AgentActor;

describe('a watch on panes', () => {
  const watches: PaneWatch[] = [];
  afterEach(() => {
    for (const watch of watches.splice(0)) watch.stop();
  });

  /** Looks once at a pane that cannot be looked at; answers with what was warned of. */
  async function warnedOf(released: boolean): Promise<string[]> {
    const terminal = { ...(await new TerminalsStandIn().of(family)), released };
    const warned: string[] = [];
    const looked = Promise.withResolvers<void>();
    const look = async (): Promise<never> => {
      looked.resolve();
      throw new Error('no answer');
    };
    const actors = new Roster();
    actors.add(actor);
    const log = { ...silent, warn: (_: unknown, said?: string) => warned.push(said ?? '') };
    const place = { family, terminal, endReason: '', actors, clock: systemTimer };
    const watch = new PaneWatch({ ...place, look, log, suspect: () => {}, onPanes: () => {} });
    watches.push(watch);
    watch.glance('%1');
    await looked.promise;
    if (!released) await moment('the warning', () => warned.length > 0);
    await new Promise((done) => setImmediate(done));
    return warned;
  }

  it('warns of a pane that cannot be looked at', async () => {
    expect(await warnedOf(false)).to.deep.equal(['a pane could not be looked at']);
  });

  it('says nothing where the terminal was let go while it looked', async () => {
    expect(await warnedOf(true)).to.deep.equal([]);
  });
});
