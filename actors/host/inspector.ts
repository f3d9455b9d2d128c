import type { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import type { hostCalls } from '#contract/wire/registry.ts';
import type { HarnessBook } from '#machines/harness/book.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { explain } from '#machines/pane/read.ts';
import { tailOf } from '#machines/pane/tail.ts';
import type { Terminals } from '#world/terminal.ts';
import { withinTime } from '#world/time-limit.ts';
import type { Timer } from '#world/timer.ts';
import type { AgentActor } from './agent-actor.ts';
import type { Look, Sight } from './sight.ts';
import { runningTerminal } from './terminal-turn.ts';

/** The most of a screen that one answer carries, in bytes. */
const screenBytes = 1024 * 1024;
/** How long the losing rules of one screen may be looked for, in milliseconds. */
const explainWithin = 1_000;

export interface InspectorOptions {
  readonly actor: (agentId: string) => AgentActor | undefined;
  readonly terminals: Terminals;
  readonly harnesses: HarnessBook;
  readonly look: Look;
  readonly clock: Timer;
}

type Inspection = z.input<typeof hostCalls.look.response>;

/** Looks at agents' panes for whoever asks, changing nothing. */
export class Inspector {
  readonly #options: InspectorOptions;

  constructor(options: InspectorOptions) {
    this.#options = options;
  }

  /**
   * What an agent's pane shows now, what it reads as, and which rules lost.
   * @throws Failure `failed_precondition` where it has no pane
   */
  async look(agentId: string): Promise<Inspection> {
    const { actor, terminals, look, clock } = this.#options;
    const found = actor(agentId);
    const paneId = found?.context.paneId;
    const terminal = found && paneId !== undefined && (await runningTerminal(terminals, found.record.family));
    const sight = terminal && (await look(terminal, paneId, found.record.launch.harness));
    if (!sight) throw new Failure('failed_precondition', `agent ${agentId} has no window: restore it first`);
    return {
      at: clock.now(),
      screen: tailOf(sight.capture, screenBytes),
      screenDigest: sight.screenDigest,
      reading: { ...sight.reading, evidence: [...sight.reading.evidence] },
      lost: this.#lost(sight),
      rules: this.#rules(sight),
    };
  }

  #lost({ harness, capture }: Sight): Inspection['lost'] {
    const screens = screensOf(this.#options.harnesses, harness);
    const { lost = [] } = withinTime(explainWithin, () => explain(screens, capture)) ?? {};
    return lost.map(({ rule, why }) => ({ rule, why }));
  }

  #rules({ harness, rules }: Sight): Inspection['rules'] {
    const file = this.#options.harnesses.files.find((one) => one.harness === harness);
    return {
      harness,
      version: rules,
      ...(file && { file: file.path, faults: [...file.faults], instead: file.instead }),
    };
  }
}
