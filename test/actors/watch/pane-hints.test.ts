import { expect } from 'chai';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { PaneHints } from '#actors/host/watch/pane-hints.ts';
import type { Bus } from '#bus/bus.ts';
import { moment } from '#test/support/moment.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import type { Terminal, TerminalHint, Terminals } from '#world/terminal/terminal.ts';

describe('hints about a pane', () => {
  let listeners: Set<(hint: TerminalHint) => void>;
  let bells: { readonly subject: string; readonly at: number }[];
  let paneHints: PaneHints;
  let paneId: string | undefined;

  beforeEach(() => {
    listeners = new Set();
    bells = [];
    paneId = '%1';
    const terminal: Pick<Terminal, 'onHint' | 'released'> = {
      released: false,
      onHint(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const bus: Pick<Bus, 'publish'> = {
      publish: (subject) => bells.push({ subject, at: read }),
    };
    // When a bell rings by the clock of whoever rings it: on a busy machine it may be sent later.
    let read = 0;
    const now = (): number => {
      read = systemTimer.now();
      return read;
    };
    paneHints = new PaneHints({
      hostId: 'hst_1',
      actor: (id) => ({ record: { family: id }, context: { paneId } }) as unknown as AgentActor,
      terminals: { find: async () => terminal as Terminal } as unknown as Terminals,
      bus: bus as Bus,
      clock: { ...systemTimer, now },
    });
  });
  afterEach(() => paneHints.stop());

  const write = (pane = '%1') => {
    for (const listener of listeners) listener({ kind: 'output', paneId: pane });
  };

  it('are sent when that pane writes, and for no other', async () => {
    await paneHints.watch('agt_1');
    write('%2');
    expect(bells).to.deep.equal([]);
    write();
    expect(bells.map(({ subject }) => subject)).to.deep.equal(['pane.hst_1.agt_1']);
  });

  it('are sent at most every 100 ms, and again for later output', async () => {
    await paneHints.watch('agt_1');
    for (let time = 0; time < 20; time += 1) write();
    await moment('the late bell', () => bells.length > 1);
    const [first, second] = bells;
    expect((second?.at ?? 0) - (first?.at ?? 0)).to.be.at.least(95);
    expect(bells).to.have.length(2);
  });

  it('end with the agent, and free its terminal', async () => {
    await paneHints.watch('agt_1');
    await paneHints.watch('agt_2');
    paneHints.forget('agt_1');
    expect(listeners).to.have.property('size', 1);
    write();
    expect(bells.map(({ subject }) => subject)).to.deep.equal(['pane.hst_1.agt_2']);
  });

  it('use one listener for any number of watchers, follow the agent to another pane, and end', async () => {
    await paneHints.watch('agt_1');
    await paneHints.watch('agt_1');
    expect(listeners.size).to.equal(1);
    paneId = '%7';
    await paneHints.watch('agt_1');
    expect(listeners.size).to.equal(1);
    write('%7');
    expect(bells).to.have.length(1);
    paneHints.stop();
    expect(listeners.size).to.equal(0);
  });

  it('are not sent without a pane', async () => {
    paneId = undefined;
    await paneHints.watch('agt_1');
    expect(listeners.size).to.equal(0);
  });
});
