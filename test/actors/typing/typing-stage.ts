import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { type Observation, type ObservePane, paneObserver } from '#actors/host/reading/observation.ts';
import { InputDriver } from '#actors/host/typing/input-driver.ts';
import type { OverBudget } from '#contract/agent/agent-view.ts';
import type { Key } from '#contract/key.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import type { AgentPark } from '#machines/agent/parking/park.ts';
import { builtIn } from '#machines/harness/table.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type MachineTimer, systemTimer } from '#world/concurrency/timer.ts';
import type { Pane, Terminal, Terminals } from '#world/terminal/terminal.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';

const agentId = 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB';
/** Who is typed for, and by which permit. */
export const asked = { agentId, ticket: 'ticket' };
/** A program with a composer, as a CLI has one. */
export const program = fileURLToPath(new URL('./composer-program.mjs', import.meta.url));

/** A clock that runs four times as fast, for what is waited for without success. */
export const hastyTimer: MachineTimer = {
  now: systemTimer.now,
  monotonic: () => systemTimer.monotonic() * 4,
  sleep: (milliseconds, signal) => systemTimer.sleep(milliseconds / 4, signal),
};

/** An agent's pane in a real tmux, and what types into it. It is set up before each test and removed after it. */
export class TypingStage {
  readonly folder: TemporaryFolder = temporaryFolder('typist');
  readonly terminals: Terminals = createTmuxTerminals({
    runDir: this.folder.path,
    environment: { PATH: process.env['PATH'] ?? '' },
  });
  readonly told: AgentEvent[] = [];
  clock: MachineTimer = systemTimer;
  /** How long a request is permitted. */
  leftMs = 60_000;
  /** For how long the question has stood, as its pane's watch knows. */
  questionMs = 0;
  /** Since when a person holds the agent, as its host knows and as it is. */
  heldAt: number | undefined;
  heldAtRegistry: number | undefined;
  /** The budget that is used up, as the registry knows it. */
  overBudget: OverBudget | undefined;
  /** Whether its CLI says that it asks, while its screen shows no question. */
  asksUnseen = false;
  /** Why it is parked. */
  park: AgentPark | undefined;
  readonly #look: ObservePane = paneObserver(builtIn);
  #opened: { readonly terminal: Terminal; readonly pane: Pane; readonly inputDriver: InputDriver } | undefined;

  get terminal(): Terminal {
    return this.#here.terminal;
  }

  get pane(): Pane {
    return this.#here.pane;
  }

  get inputDriver(): InputDriver {
    return this.#here.inputDriver;
  }

  get #here(): { readonly terminal: Terminal; readonly pane: Pane; readonly inputDriver: InputDriver } {
    if (this.#opened === undefined) throw new Error('no pane is open yet');
    return this.#opened;
  }

  /** Opens the agent's pane and waits until it is at rest. */
  async open(...faults: readonly string[]): Promise<void> {
    await this.run([process.execPath, program, this.folder.path, ...faults], 'claude');
    await this.shows('AGENT_STATE_IDLE');
  }

  async run(argv: readonly string[], harness: string, phase: object | string = { live: 'idle' }): Promise<void> {
    const terminal = await this.terminals.of(agentId);
    const pane = await terminal.open({ agentId, name: 'Ada', cwd: this.folder.path, argv, env: {} });
    const context = {
      paneId: pane.paneId,
      name: 'Ada',
      heldAt: this.heldAt,
      overBudget: this.overBudget,
      asksUnseen: this.asksUnseen,
      park: this.park,
    };
    const actor = {
      record: { family: agentId, launch: { harness }, snapshot: { value: phase } },
      context,
      refresh: () => {
        context.heldAt = this.heldAtRegistry;
        context.overBudget = this.overBudget;
      },
      isTyping: false,
      send: (event: AgentEvent) => {
        this.told.push(event);
        if (event.type === 'READING' || event.type === 'PROMPTED')
          Object.assign(context, { asked: '', drafted: false }, event.reading);
      },
      quiet: async () => {},
    };
    const ownActor = (id: string) => (id === agentId ? (actor as unknown as AgentActor) : undefined);
    const permission = async () => ({ record: actor.record as unknown as AgentRecord, leftMs: this.leftMs });
    const inputDriver = new InputDriver({
      actor: ownActor,
      terminals: this.terminals,
      harnesses: builtIn,
      observePane: this.#look,
      registry: { permit: permission, load: async () => (await permission()).record },
      clock: this.clock,
      questionMs: () => this.questionMs,
    });
    this.#opened = { terminal, pane, inputDriver };
  }

  /** Runs a script of bash, and gives its first question once it stands. */
  async script(text: string): Promise<Observation> {
    await this.run(['bash', '--noprofile', '--norc', '-c', `${text}; exec sleep 60`], 'shell');
    return this.shows('AGENT_STATE_WAITING', 'shell');
  }

  sight(harness = 'claude'): Promise<Observation | undefined> {
    return this.#look(this.terminal, this.pane.paneId, { harness });
  }

  shows(state: string, harness = 'claude'): Promise<Observation> {
    const seen = async () => {
      const now = await this.sight(harness);
      return now?.reading.state === state ? now : undefined;
    };
    return moment(state, seen);
  }

  /** What the program has recorded. */
  logged(file: string): unknown[] {
    const path = join(this.folder.path, file);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  }

  answer(screenDigest: string, keys: readonly Key[], text = ''): ReturnType<InputDriver['answer']> {
    return this.inputDriver.answer(asked, { screenDigest, text, keys });
  }

  tmux(...command: readonly string[]): void {
    const [name = '', ...rest] = command;
    const socket = socketOf(socketFolder(this.folder.path), agentId);
    execFileSync('tmux', ['-S', socket, name, '-t', this.pane.paneId, ...rest]);
  }

  async end(): Promise<void> {
    this.#opened?.inputDriver.stop();
    await this.terminals.end(agentId);
    this.folder.remove();
  }
}

/** A refusal as its code and message. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  const { code, message } = await failureOf(() => work);
  return `${code}: ${message}`;
}
