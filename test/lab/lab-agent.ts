import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Key } from '#contract/key.ts';
import type { StreamCall } from '#test/gateway/stream-call.ts';
import { moment } from '#test/support/moment.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import type { Keystroke } from './cli/definition.ts';
import type { Muster } from './muster.ts';

/** How long a move may take to come, in milliseconds: a CLI may take half a minute to paint its first screen. */
const patience = 120_000;
/** How long a CLI may take to show that it has taken a key before the key is pressed again, in milliseconds. */
const retryMs = 3_000;
/** How long typed text may take to show before it is typed again, in milliseconds. */
const typingMs = 20_000;
/** How long a person takes to see what there is to answer, in milliseconds. */
const reactionMs = 400;
const service = 'agent.v1.AgentService';

interface FactFrame {
  readonly facts?: readonly { readonly kind: string; readonly detail: string }[];
}

/** One agent, as a person sees it: its moves as they are asked, and its window. */
export class LabAgent {
  readonly id: string;
  readonly #name: string;
  readonly #muster: Muster;
  readonly #facts: StreamCall;
  #socket: string;
  readonly #moves: string[] = [];
  #told = 0;

  private constructor(muster: Muster, { id = '', name = '' }: Agent, facts: StreamCall, socket: string) {
    this.#muster = muster;
    this.id = id;
    this.#name = name;
    this.#facts = facts;
    this.#socket = socket;
  }

  /** Follows an agent from its first fact on. `sockets` is the folder of the terminals' sockets. */
  static async follow(muster: Muster, agent: Agent, sockets: string): Promise<LabAgent> {
    const facts = await muster.watch('fact.v1.FactService/WatchFacts', { cursor: '0', subjectId: agent.id });
    const followed = new LabAgent(muster, agent, facts, socketOf(sockets, agent.parentAgentId || agent.id || ''));
    void followed.#listen();
    return followed;
  }

  /**
   * Waits for a move to a state, such as `IDLE` or `WAITING trust`; answers with it and the moves before it that were
   * not reported yet.
   */
  async until(move: string): Promise<string[]> {
    const from = this.#told;
    const at = () => this.#moves.indexOf(move, from);
    try {
      await moment(move, () => at() >= 0, patience);
    } catch {
      throw new Error(`there was no move to ${move} but ${this.#moves.slice(from)}; the pane shows:\n${this.screen()}`);
    }
    this.#told = at() + 1;
    return this.#moves.slice(from, this.#told);
  }

  /** The moves that were not reported yet. */
  get untold(): readonly string[] {
    return this.#moves.slice(this.#told);
  }

  /** The agent, as a list shows it. */
  async listed(): Promise<AgentRow> {
    return (await this.#muster.call<{ agent: AgentRow }>(`${service}/GetAgent`, { agentId: this.id })).agent;
  }

  /** The agent's row. */
  async row(): Promise<Agent> {
    return (await this.listed()).agent ?? {};
  }

  /** Waits until its CLI has reported something; not at all if it is one that reports nothing. */
  async untilItSays(what: string | undefined): Promise<void> {
    if (what === undefined) return;
    let said: string | undefined;
    const isSaid = async () => {
      said = (await this.row()).reportedReason;
      return said === what || said?.startsWith(`${what}: `) === true;
    };
    try {
      await moment(what, isSaid, patience);
    } catch {
      throw new Error(`its CLI does not say ${what} but ${said}; the pane shows:\n${this.screen()}`);
    }
  }

  /** Waits until its row reports that a person is asked about something. */
  async untilItAsks(what: string): Promise<void> {
    let asked: string | undefined;
    const isAsked = async () => {
      asked = (await this.row()).waitingFor;
      return asked?.includes(what) === true;
    };
    try {
      await moment(what, isAsked, patience);
    } catch {
      throw new Error(`it does not ask about ${what} but ${asked}; the pane shows:\n${this.screen()}`);
    }
  }

  async archive(): Promise<void> {
    await this.#muster.call(`${service}/ArchiveAgent`, { agentId: this.id });
  }

  async restore(): Promise<void> {
    await this.#muster.call(`${service}/RestoreAgent`, { agentId: this.id });
  }

  /** Has muster type a prompt, which it has seen taken when it answers. */
  async prompt(text: string): Promise<void> {
    await this.#muster.call(`${service}/PromptAgent`, { agentId: this.id, prompt: text });
  }

  async interrupt(): Promise<void> {
    await this.#muster.call(`${service}/InterruptAgent`, { agentId: this.id });
  }

  /**
   * Answers the question on the screen as it is read just before. A CLI may leave out a key in the first moments of a
   * question, or paint it again: then it is checked again.
   */
  async answer(...keys: readonly Key[]): Promise<void> {
    for (let times = 1; ; times += 1) {
      const { screenDigest } = await this.#muster.call<{ screenDigest: string }>(`${service}/ReadPane`, {
        agentId: this.id,
      });
      try {
        await this.#muster.call(`${service}/AnswerAgent`, { agentId: this.id, screenDigest, keys });
        return;
      } catch (error) {
        if (times === 3 || !/is no longer the one|did not react/.test(String(error))) throw error;
      }
    }
  }

  /** Looks for its window on another host from now on, by that host's state folder. */
  movedTo(state: string): void {
    this.#socket = socketOf(socketFolder(join(state, 'run')), this.id);
  }

  /** What its window shows now, without attributes. */
  screen(): string {
    return this.#tmux('capture-pane', '-p');
  }

  /**
   * Presses keys as a person does, who looks before each: until nothing that any of them is for is on the screen. A CLI
   * may leave out a key in the first moments of a question; a person is not as quick, and presses it again.
   */
  async press(strokes: readonly Keystroke[]): Promise<void> {
    const next = (): Keystroke | undefined => strokes.find(({ on }) => on.test(this.screen()));
    const end = performance.now() + patience;
    for (let stroke = next(); stroke !== undefined; stroke = next()) {
      const { on, key, againMs } = stroke;
      if (performance.now() > end) throw new Error(`${key} is not answered; the pane shows:\n${this.screen()}`);
      if (!(await this.#stands(on, reactionMs))) continue;
      this.#tmux('send-keys', key);
      if (againMs !== undefined && (await this.#stands(on, againMs))) this.#tmux('send-keys', key);
      await this.#stands(on, retryMs);
    }
  }

  /**
   * Types a line and submits it once it is seen as a draft. A CLI that has just been started may swallow what is typed.
   */
  async say(text: string): Promise<void> {
    const isDrafted = () => this.untold.includes('UNCERTAIN draft');
    for (let times = 0; times < 3 && !isDrafted(); times += 1) {
      this.#tmux('send-keys', '-l', text);
      await moment('a draft', isDrafted, typingMs).catch(() => undefined);
    }
    await this.until('UNCERTAIN draft');
    this.#tmux('send-keys', 'Enter');
  }

  /** Deletes the agent with all that is left of it, unless it is gone already. */
  async remove(): Promise<void> {
    if (this.#moves.includes('gone')) return;
    await this.#muster.call(`${service}/DeleteAgent`, { agentId: this.id, force: true });
    await moment('the agent to be gone', () => this.#moves.includes('gone'), patience);
    await this.#facts.close();
  }

  async #listen(): Promise<void> {
    for (let frame = await this.#next(); frame !== undefined; frame = await this.#next()) {
      for (const { kind, detail } of frame.facts ?? []) {
        const move = moveOf(kind, detail);
        if (move !== undefined) this.#moves.push(move);
      }
    }
  }

  async #next(): Promise<FactFrame | undefined> {
    // The connection is cut when the watch is closed or the service stops: then there is nothing more to hear.
    return (await this.#facts.next().catch(() => undefined))?.json;
  }

  /** Whether something stays on the screen for so long; answers as soon as it does not. */
  async #stands(on: RegExp, ms: number): Promise<boolean> {
    const end = performance.now() + ms;
    await moment('an end of looking', () => !on.test(this.screen()) || performance.now() >= end);
    return performance.now() >= end;
  }

  #tmux(command: string, ...args: string[]): string {
    return execFileSync('tmux', ['-S', this.#socket, command, '-t', `:=${this.#name}`, ...args], { encoding: 'utf8' });
  }
}

/** What a fact is called here: a state with its reason, or a step of the agent's life. */
function moveOf(kind: string, detail: string): string | undefined {
  if (kind === 'agent.created') return 'SETTING_UP';
  if (kind === 'agent.gone') return 'gone';
  const { to, reason = '' } = JSON.parse(detail) as { to?: string; reason?: string };
  if (kind === 'agent.phase-moved') return to === 'archived' ? 'archived' : undefined;
  if (kind !== 'agent.state-moved') return undefined;
  return [to?.replace('AGENT_STATE_', ''), reason].filter((word) => word !== '').join(' ');
}
