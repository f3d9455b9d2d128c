import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { type Observation, paneObserver } from '#actors/host/reading/observation.ts';
import { bellStamps } from '#actors/host/typing/bell-stamp.ts';
import { DoorbellSender } from '#actors/host/typing/doorbell-sender.ts';
import type { OverBudget } from '#contract/agent/agent-view.ts';
import type { Failure } from '#contract/failure.ts';
import { type FailureCode, failureCodes } from '#contract/reason/failure-code.ts';
import type { Bell } from '#contract/wire/agent-record.ts';
import { ringLine } from '#machines/doorbell/ring-line.ts';
import { builtIn } from '#machines/harness/table.ts';
import { refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { someOf } from '#test/support/some-of.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type MachineTimer, systemTimer } from '#world/concurrency/timer.ts';
import type { Pane, Terminal, Terminals } from '#world/terminal/terminal.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';
import { silent } from '../actor-fixture.ts';

const agentId = 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAC';
const program = fileURLToPath(new URL('./composer-program.mjs', import.meta.url));
const bell: Bell = { id: 'bel_1', causes: { DOORBELL_CAUSE_MAIL: 2 } };
const line = ringLine(bell.causes);
const stamps = bellStamps(bell.id);

describe('ringing a doorbell', () => {
  let folder: TemporaryFolder;
  let terminals: Terminals;
  let terminal: Terminal;
  let pane: Pane;
  let doorbellSender: DoorbellSender;
  let noted: string[];
  /** The failure with which the registry refuses reports. */
  let refusal: Failure | undefined;
  /** Called when the registry is asked whether it may type. */
  let onLoad: () => void;
  const look = paneObserver(builtIn);

  /** The parts of an actor that the doorbell sender reads; a test changes them. */
  let actor: {
    record: { id: string; epoch: number; family: string; launch: object; snapshot: object; bell: Bell | undefined };
    context: {
      paneId: string;
      name: string;
      reason: string;
      drafted?: boolean;
      heldAt?: number;
      overBudget?: OverBudget;
    };
    isTyping: boolean;
    refresh: () => void;
    send: () => void;
    quiet: () => Promise<void>;
  };

  beforeEach(async () => {
    folder = temporaryFolder('ringer');
    terminals = createTmuxTerminals({ runDir: folder.path, environment: { PATH: process.env['PATH'] ?? '' } });
    terminal = await terminals.of(agentId);
    const argv = [process.execPath, program, folder.path];
    pane = await terminal.open({ agentId, name: 'Ada', cwd: folder.path, argv, env: {} });
    noted = [];
    refusal = undefined;
    onLoad = () => undefined;
    actor = {
      record: {
        id: agentId,
        epoch: 1,
        family: agentId,
        launch: { harness: 'claude' },
        snapshot: { value: { live: 'idle' } },
        bell,
      },
      context: { paneId: pane.paneId, name: 'Ada', reason: '' },
      isTyping: false,
      refresh: () => {},
      send: () => {},
      quiet: async () => {},
    };
    doorbellSender = newRinger();
    await shows('AGENT_STATE_IDLE');
  });
  afterEach(async () => {
    doorbellSender.stop();
    await terminals.end(agentId);
    folder.remove();
  });

  function newRinger(clock: MachineTimer = systemTimer): DoorbellSender {
    return new DoorbellSender({
      actor: () => actor as unknown as AgentActor,
      terminals,
      harnesses: builtIn,
      observePane: look,
      clock,
      unchangedMs: () => 0,
      log: silent,
      registry: {
        permit: async () => ({ record: actor.record as never, leftMs: 60_000 }),
        load: async () => {
          onLoad();
          return actor.record as never;
        },
        rung: async (_agentId, _epoch, bellId) => {
          noted.push(bellId);
          if (refusal !== undefined) throw refusal;
          return actor.record as never;
        },
      },
    });
  }

  const shows = (state: string): Promise<Observation> =>
    moment(state, async () => {
      const sight = await look(terminal, pane.paneId, { harness: 'claude' });
      return sight?.reading.state === state ? sight : undefined;
    });
  const logged = (file: string): unknown[] => {
    const path = join(folder.path, file);
    return existsSync(path)
      ? readFileSync(path, 'utf8')
          .trimEnd()
          .split('\n')
          .map((one) => JSON.parse(one))
      : [];
  };
  const tmux = async (...argv: string[]) =>
    execFileSync('tmux', ['-S', socketOf(await socketFolder(folder.path), agentId), ...argv]);
  /** Lets the doorbell sender run, and waits until it is idle again. */
  async function hear(): Promise<void> {
    doorbellSender.check(actor as unknown as AgentActor);
    await moment('the doorbell sender takes its turn', () => actor.isTyping, 500).catch(() => undefined);
    await moment('the doorbell sender is idle', () => !actor.isTyping);
  }

  it('types one line into an idle pane, submits it, and reports it', async () => {
    await hear();
    await moment('it is noted', () => noted.length === 1);
    expect(logged('submitted')).to.deep.equal([line]);
    expect(await terminal.stampOf(pane.paneId)).to.equal(stamps.rung);
    await hear();
    expect(logged('submitted')).to.deep.equal([line]);
  });

  for (const code of someOf(Object.keys(failureCodes) as FailureCode[], 0, 4)) {
    it(`keeps the host running if the registry refuses the report with ${code}`, async () => {
      refusal = refusalWith(code, 'no');
      const unhandled: unknown[] = [];
      const note = (error: unknown) => unhandled.push(error);
      process.prependListener('unhandledRejection', note);
      await hear();
      await moment('it was told', () => noted.length > 0);
      // One that may pass is reported again, and nothing is typed a second time for it.
      refusal = undefined;
      await moment('it is heard', async () => {
        await hear();
        return noted.length > 1;
      });
      expect(logged('submitted')).to.deep.equal([line]);
      process.off('unhandledRejection', note);
      expect(unhandled).to.deep.equal([]);
    });
  }

  it('types nothing if an earlier host process typed it, and reports it', async () => {
    await terminal.paste(pane.paneId, '', stamps.rung);
    await hear();
    await moment('it is noted', () => noted.length === 1);
    expect([...logged('submitted'), ...logged('keys')]).to.deep.equal([]);
  });

  it('submits the line that an earlier host process pasted', async () => {
    await terminal.paste(pane.paneId, line, stamps.pasted);
    await shows('AGENT_STATE_UNCERTAIN');
    actor.record.snapshot = { value: { live: 'uncertain' } };
    actor.context.drafted = true;
    await hear();
    await moment('it is noted', () => noted.length === 1);
    expect(logged('submitted')).to.deep.equal([line]);
  });

  for (const [what, causes, isRung] of [
    ['of fewer mails', { DOORBELL_CAUSE_MAIL: 1 }, true],
    ['that was claimed meanwhile, and asks for something else', { DOORBELL_CAUSE_REVIEW: 1 }, false],
  ] as const) {
    it(`submits another doorbell’s line ${what}, so that later ones can ring`, async () => {
      const earlier = ringLine(causes);
      await terminal.paste(pane.paneId, earlier, bellStamps('bel_0').pasted);
      await shows('AGENT_STATE_UNCERTAIN');
      actor.record.snapshot = { value: { live: 'uncertain' } };
      actor.context.drafted = true;
      await hear();
      await moment('it is submitted', () => logged('submitted').length === 1);
      expect(logged('submitted')).to.deep.equal([earlier]);
      if (isRung) return moment('it is noted', () => noted.length === 1);
      expect(noted, 'its own doorbell has not rung').to.deep.equal([]);
      await shows('AGENT_STATE_IDLE');
      actor.record.snapshot = { value: { live: 'idle' } };
      await hear();
      await moment('it rings', () => noted.length === 1);
      expect(logged('submitted')).to.deep.equal([earlier, line]);
    });
  }

  it('types nothing after a long suspension, and rings after it has asked again', async () => {
    let stoppedMs = 0;
    doorbellSender = newRinger({ ...systemTimer, monotonic: () => systemTimer.monotonic() + stoppedMs });
    onLoad = () => {
      stoppedMs += 21_000;
    };
    await hear();
    expect([logged('submitted'), logged('keys'), noted]).to.deep.equal([[], [], []]);
    onLoad = () => undefined;
    await hear();
    await moment('it is noted', () => noted.length === 1);
    expect(logged('submitted')).to.deep.equal([line]);
  });

  it('leaves a person’s text next to the pasted line', async () => {
    await terminal.paste(pane.paneId, line, stamps.pasted);
    await terminal.paste(pane.paneId, ' and mine');
    await shows('AGENT_STATE_UNCERTAIN');
    actor.record.snapshot = { value: { live: 'uncertain' } };
    actor.context.drafted = true;
    await hear();
    expect([logged('submitted'), noted]).to.deep.equal([[], []]);
  });

  it('leaves a draft that changed before it would be submitted', async () => {
    doorbellSender.check(actor as unknown as AgentActor);
    await moment('the line is pasted', async () => (await terminal.stampOf(pane.paneId)) === stamps.pasted);
    await terminal.paste(pane.paneId, ' and mine');
    await moment('the doorbell sender is idle', () => !actor.isTyping);
    expect([logged('submitted'), noted]).to.deep.equal([[], []]);
  });

  it('submits nothing once a person holds the agent', async () => {
    doorbellSender.check(actor as unknown as AgentActor);
    await moment('the line is pasted', async () => (await terminal.stampOf(pane.paneId)) === stamps.pasted);
    actor.context.heldAt = 1;
    await moment('the doorbell sender is idle', () => !actor.isTyping);
    expect([logged('submitted'), noted]).to.deep.equal([[], []]);
  });

  const unfit: Readonly<Record<string, () => Promise<void>>> = {
    'a turn goes on': async () => {
      await terminal.paste(pane.paneId, 'work');
      await terminal.submit(pane.paneId);
      await shows('AGENT_STATE_THINKING');
    },
    'a question is open': async () => {
      await terminal.paste(pane.paneId, 'ask');
      await terminal.submit(pane.paneId);
      await shows('AGENT_STATE_WAITING');
    },
    'a draft stands': async () => {
      await terminal.paste(pane.paneId, 'half a thought');
      await shows('AGENT_STATE_UNCERTAIN');
    },
    'a person scrolls': async () => {
      await tmux('copy-mode', '-t', pane.paneId);
    },
    'a person holds the agent': async () => {
      actor.context.heldAt = 1;
    },
    'a budget is used up': async () => {
      actor.context.overBudget = { ownerId: 'wfl_1', ownerName: 'web', measure: 'turns', used: 2, limit: 2, at: 1 };
    },
    'the agent is not idle': async () => {
      actor.record.snapshot = { value: { live: 'waiting' } };
    },
    'its CLI has ended': async () => {
      actor.record.snapshot = { value: 'dormant' };
    },
    'nothing is to be rung': async () => {
      actor.record.bell = undefined;
    },
  };
  for (const [what, bring] of Object.entries(unfit)) {
    it(`types nothing if ${what}`, async () => {
      await bring();
      const before = [logged('submitted'), logged('keys'), await terminal.stampOf(pane.paneId)];
      await hear();
      expect([logged('submitted'), logged('keys'), await terminal.stampOf(pane.paneId)]).to.deep.equal(before);
      expect(noted).to.deep.equal([]);
    });
  }

  it('types nothing if the doorbell is claimed during the capture', async () => {
    let turns = 0;
    let isTyping = false;
    Object.defineProperty(actor, 'isTyping', {
      get: () => isTyping,
      set: (is: boolean) => {
        isTyping = is;
        if (is) turns += 1;
      },
    });
    doorbellSender.check(actor as unknown as AgentActor);
    actor.record = { ...actor.record, bell: undefined };
    await moment('the doorbell sender takes its turn', () => turns > 0);
    await moment('the doorbell sender is idle', () => !actor.isTyping);
    expect([logged('submitted'), noted]).to.deep.equal([[], []]);
  });
});
