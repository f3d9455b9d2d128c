import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import type { LabCli } from './cli/definition.ts';
import type { LabAgent } from './lab-agent.ts';
import { isolation } from './muster.ts';
import type { StubModel } from './stub-model/stub-model.ts';

/** How many pieces a held answer says before it is taken for a long one: some seconds of work. */
const many = 40;
/** How long the model may wait to be asked, in milliseconds. */
export const patience = 60_000;

/** Turns of agents, which a test leads through by their model. */
export class Turns {
  readonly #cli: LabCli;
  readonly #model: StubModel;

  constructor(cli: LabCli, model: StubModel) {
    this.#cli = cli;
    this.#model = model;
  }

  /** Answers a child's question whether its folder is trusted: the answer that its parent got is in the parent's own home. */
  async trust(child: LabAgent): Promise<void> {
    if (isolation === 'none' || this.#cli.trust === undefined) return;
    await child.until('WAITING trust');
    await child.press(this.#cli.trusting);
  }

  /** Waits until a held answer has said so much that the turn is a long one, through which the agent must not move. */
  async untilLong(agent: LabAgent): Promise<void> {
    const from = this.#model.hold.said;
    await moment('a long turn', () => this.#model.hold.said > from + many, patience);
    expect(agent.untold).to.deep.equal([]);
  }

  /** Waits until the model is asked, and holds its answer. */
  async untilAsked(agent: LabAgent): Promise<void> {
    await moment('the model to be asked', () => this.#model.hold.size > 0, patience).catch(() => {
      throw new Error(`its model is not asked; the pane shows:\n${agent.screen()}`);
    });
  }

  /**
   * Waits until an agent thinks; answers with its moves. On a busy machine a CLI may show an empty composer, or half a
   * frame, before it shows that it works.
   */
  async untilAtWork(agent: LabAgent): Promise<string[]> {
    const moves = await agent.until('THINKING');
    return moves.filter((move) => !/^(IDLE|UNCERTAIN|UNCERTAIN (transition|unknown-row))$/.test(move));
  }

  /** Types a prompt, as a person does, and waits until the agent works on it. */
  async prompt(agent: LabAgent, text: string): Promise<void> {
    await agent.say(text);
    expect(await this.untilAtWork(agent)).to.deep.equal(['THINKING']);
  }

  /** Waits until an agent asks for permission. The title may show before the screen that it waits for something. */
  async untilPermission(agent: LabAgent): Promise<void> {
    const moves = await agent.until('WAITING permission');
    expect(moves.filter((move) => move !== 'WAITING blocked')).to.deep.equal(['WAITING permission']);
  }

  /** Lets the answer go, with which the turn ends. */
  async finish(agent: LabAgent): Promise<void> {
    this.#model.hold.release();
    expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
  }

  /** Waits until an interrupted agent rests, with an empty composer. */
  async untilInterrupted(agent: LabAgent): Promise<void> {
    const { emptying } = this.#cli;
    if (emptying !== undefined) {
      expect(await agent.until('UNCERTAIN draft')).to.deep.equal(['UNCERTAIN draft']);
      await agent.press(emptying);
    }
    expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
    await moment('the model to be let go', () => this.#model.hold.size === 0, patience);
  }

  /** Has an agent run a command, and a person allow it; answers with what its model was given of it. */
  async run(agent: LabAgent, command: string): Promise<string> {
    await agent.say(`Do it. #tool ${command}#`);
    await this.untilAsked(agent);
    this.#model.hold.release();
    await agent.until('WAITING permission');
    await agent.press(this.#cli.allowing);
    await this.untilAsked(agent);
    const result = this.#model.lastTurn?.heard.findLast(({ kind }) => kind === 'result')?.text ?? '';
    this.#model.hold.release();
    await agent.until('IDLE');
    return result;
  }

  /** Does something for which muster rings an agent, and waits until the agent has read the line that muster typed. */
  async ring<T>(agent: LabAgent, cause: () => Promise<T>): Promise<T> {
    const { doorbellRungAt } = await agent.listed();
    const result = await cause();
    await this.untilRung(agent, doorbellRungAt);
    return result;
  }

  /**
   * Waits until an agent was rung, at another time than `before`, by a line that muster typed, and has read what that
   * says.
   */
  async untilRung(agent: LabAgent, before?: string): Promise<void> {
    const isRung = async () => ![undefined, before].includes((await agent.listed()).doorbellRungAt);
    await moment('a doorbell', isRung, patience);
    const hasEnded = () => {
      // The line has no directive, so the newest one before it counts, which may hold the answer back.
      const isAtWork = agent.untold.includes('THINKING');
      if (isAtWork) this.#model.hold.release();
      return isAtWork && agent.untold.at(-1) === 'IDLE';
    };
    await moment('the end of its turn', hasEnded, patience);
    while (agent.untold.length > 0) await agent.until('IDLE');
  }
}
