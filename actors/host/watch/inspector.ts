import type { z } from 'zod';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import type { Look, Sight } from '#actors/host/reading/sight.ts';
import { runningTerminal } from '#actors/host/typing/terminal-turn.ts';
import { Failure } from '#contract/failure.ts';
import type { hostCalls } from '#contract/wire/registry.ts';
import type { HarnessBook } from '#machines/harness/book.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { explain } from '#machines/pane/read.ts';
import { tailOf } from '#machines/pane/tail.ts';
import { withinTime } from '#world/concurrency/time-limit.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { Terminals } from '#world/terminal/terminal.ts';

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
type Glance = z.input<typeof hostCalls.watch.response>;
type Seen = NonNullable<Glance['seen']>;

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
    const sight = await this.#sight(agentId);
    return { ...this.#seen(sight), lost: this.#lost(sight), rules: this.#rules(sight) };
  }

  /**
   * What an agent's pane shows now, where that is another screen than the one of the cursor.
   * @throws Failure `failed_precondition` where it has no pane
   */
  async glance(agentId: string, cursor: string): Promise<Glance> {
    const sight = await this.#sight(agentId);
    return { cursor: sight.digest, ...(sight.digest !== cursor && { seen: this.#seen(sight) }) };
  }

  async #sight(agentId: string): Promise<Sight> {
    const { actor, terminals, look } = this.#options;
    const found = actor(agentId);
    const paneId = found?.context.paneId;
    const terminal = found && paneId !== undefined && (await runningTerminal(terminals, found.record.family));
    const sight = terminal && (await look(terminal, paneId, found.record.launch.harness));
    if (!sight) throw new Failure('failed_precondition', `agent ${agentId} has no window: restore it first`);
    return sight;
  }

  #seen({ capture, screenDigest, reading }: Sight): Seen {
    return {
      at: this.#options.clock.now(),
      screen: tailOf(capture, screenBytes),
      screenDigest,
      reading: { ...reading, evidence: [...reading.evidence] },
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
