import { patiently } from '#actors/host/agent/patience.ts';
import type { Performance, Performer } from '#actors/host/agent/performer.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import {
  isAtShell,
  type Look,
  lastRowsOf,
  lookUntil,
  type Sight,
  type Spot,
  sightingOf,
  toldOf,
} from '#actors/host/reading/sight.ts';
import { briefingStamps } from '#actors/host/typing/briefing-stamp.ts';
import { ownPermission, untilOf } from '#actors/host/typing/permission.ts';
import { runningTerminal } from '#actors/host/typing/terminal-turn.ts';
import { afterEnter, type Patience } from '#actors/host/typing/typing.ts';
import { paneGone } from '#actors/host/watch/obituary.ts';
import { Failure } from '#contract/failure.ts';
import { screenMark } from '#contract/pane/sighting.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import type { MachineTimer } from '#world/concurrency/timer.ts';
import type { Terminals } from '#world/terminal/terminal.ts';

/** How long each part may take, in milliseconds. The whole is bounded by the machine's own deadline. */
const limits = {
  /** A screen at rest must stay so: some CLIs paint their composer before they take input. */
  rest: 400,
  /** A CLI that is still starting may take the paste late, and a second one would then come on top of it. */
  paste: 20_000,
  quiet: 200,
  forever: 24 * 3_600_000,
} as const;
const patience: Patience = { draft: 5_000, reaction: 1_500, noReaction: 10_000 };

/** How often a paste that never showed, or an Enter that was swallowed, is given again. */
const pastesMost = 3;
const entersMost = 3;

/** Thrown where the pane died while it was being looked at. */
const ended = new Failure('aborted', 'the CLI ended while it was being briefed');

/** What a briefing is delivered with. */
export interface BriefingTools {
  readonly terminals: Terminals;
  readonly look: Look;
  readonly clock: MachineTimer;
  readonly registry: Pick<RegistryClient, 'load'>;
}

/**
 * Types the briefing into the CLI's composer, submits it, and sees it accepted. What was typed is stamped on the pane in
 * the same step, so that after a crash it goes on from there and nothing is typed twice. Nothing is typed while the CLI
 * asks something: that is for a person.
 */
export function deliverBriefing({ terminals, look, clock, registry }: BriefingTools): Performer {
  return {
    step: 'briefing',
    async perform(performance: Performance): Promise<AgentEvent | undefined> {
      const { record, signal } = performance;
      const { harness, briefing } = record.launch;
      const terminal = await runningTerminal(terminals, record.family);
      if (!terminal)
        return surely(terminals, record, { type: 'PANE_GONE', reason: terminals.endReason, briefed: false });
      const own = async () => (await terminal.panes()).find(({ agentId }) => agentId === record.id);
      const pane = await own();
      try {
        const spot: Spot = { look, terminal, paneId: pane?.paneId ?? '', harness, clock, signal };
        if (pane && !pane.dead) return await brief(spot, briefing, () => dueUntil({ registry, clock }, performance));
      } catch (error) {
        if (error !== ended) throw error;
      }
      const place = { look, terminal, endReason: terminals.endReason };
      return surely(terminals, record, await paneGone(place, await own(), harness));
    },
  };
}

/**
 * Until when the briefing may be typed, by the machine's own clock. The registry is asked: a launch may have been ended while this
 * host could not hear of it. While the registry cannot be reached, nothing is typed.
 * @throws Failure `aborted` where the briefing is not wanted any more
 */
async function dueUntil(
  { registry, clock }: Pick<BriefingTools, 'registry' | 'clock'>,
  { record, effect, signal }: Performance,
): Promise<number> {
  const permission = await patiently(clock, signal, () => ownPermission({ registry, clock }, record.id));
  if (permission.record.effects.some(({ key }) => key === effect.key)) return untilOf(permission, clock);
  throw new Failure('aborted', 'the launch ended before its briefing was typed: nothing was');
}

/** An end, once the terminal itself, asked anew, says the same. @throws Failure `unavailable` where the pane lives after all */
async function surely(terminals: Terminals, { id, family }: AgentRecord, gone: AgentEvent): Promise<AgentEvent> {
  const panes = await terminals.ask(family);
  if (!panes?.some(({ agentId, dead }) => agentId === id && !dead)) return gone;
  throw new Failure('unavailable', 'the pane lives that seemed to have ended before it was briefed');
}

async function brief(spot: Spot, briefing: string, mayUntil: () => Promise<number>): Promise<AgentEvent> {
  const stamp = await spot.terminal.stampOf(spot.paneId);
  const isSubmitted = stamp === briefingStamps.submitted;
  const { rest, drafted } = isSubmitted
    ? { drafted: await settled(spot) }
    : await paste(spot, stamp !== '', { briefing, mayUntil });
  const sight = await submit(spot, !isSubmitted || drafted.draft, rest);
  return { type: 'BRIEFED', reading: toldOf(sight), sighting: sightingOf(sight) };
}

/** What a paste was seen as: the screen before it, where that was seen, and the one that shows it. */
interface Pasted {
  readonly rest: Sight | undefined;
  readonly drafted: Sight;
}

/** What is pasted, and until when it may be. */
interface Paste {
  readonly briefing: string;
  readonly mayUntil: () => Promise<number>;
}

/** Pastes when the CLI is at rest with nothing typed, unless that was done before, and waits until the paste shows. */
async function paste(spot: Spot, isPasted: boolean, { briefing, mayUntil }: Paste): Promise<Pasted> {
  const before = isPasted ? await shown(spot, undefined) : undefined;
  if (before) return { rest: undefined, drafted: before };
  for (let pastes = 0; pastes < pastesMost; ) {
    const rest = await atRest(spot);
    const until = await mayUntil();
    const written = await spot.terminal.paste(spot.paneId, briefing, briefingStamps.pasted, until);
    if (written === 'in-mode' || written === 'late') continue;
    if (written !== 'written') throw ended;
    pastes += 1;
    const drafted = await shown(spot, rest);
    if (drafted) return { rest, drafted };
  }
  throw new Failure('failed_precondition', `the CLI showed nothing of what was pasted ${pastesMost} times`);
}

/**
 * The screen that shows the paste; undefined where none does. A question that comes up just then may have swallowed it:
 * once a person has answered, only a draft tells that it did not.
 */
async function shown(spot: Spot, rest: Sight | undefined): Promise<Sight | undefined> {
  const sight = await lookUntil(spot, limits.paste, (one, unchangedMs) => {
    const isOther = rest ? one.digest !== rest.digest : one.draft || one.reading.state === 'AGENT_STATE_THINKING';
    return asks(one) || (isOther && unchangedMs >= limits.quiet);
  });
  if (sight) refuseShell(sight);
  if (!sight || !asks(sight)) return sight;
  await answered(spot);
  return shown(spot, undefined);
}

/** Waits until a person has answered what the CLI asks. */
async function answered(spot: Spot): Promise<void> {
  const sight = await lookUntil(spot, limits.forever, (one, unchangedMs) => !asks(one) && unchangedMs >= limits.quiet);
  if (!sight) throw ended;
}

async function atRest(spot: Spot): Promise<Sight> {
  const rest = await lookUntil(
    spot,
    limits.forever,
    (one, unchangedMs) => (one.reading.state === 'AGENT_STATE_IDLE' || isAtShell(one)) && unchangedMs >= limits.rest,
  );
  if (!rest) throw ended;
  refuseShell(rest);
  return rest;
}

/** A shell would run the briefing as commands. */
function refuseShell(sight: Sight): void {
  if (!isAtShell(sight)) return;
  throw new Failure(
    'failed_precondition',
    `the CLI exited to a shell before it took its briefing${screenMark}\n${lastRowsOf(sight.capture, 10)}`,
  );
}

async function settled(spot: Spot): Promise<Sight> {
  const sight = await lookUntil(spot, limits.forever, (_, unchangedMs) => unchangedMs >= limits.quiet);
  if (!sight) throw ended;
  return sight;
}

/**
 * Presses Enter and waits for what the CLI comes to. A CLI that is still starting may swallow the Enter, or take its
 * composer away and bring it back with the draft in it: where the draft stands, Enter is pressed again.
 */
async function submit(spot: Spot, isDue: boolean, rest: Sight | undefined): Promise<Sight> {
  for (let enters = isDue ? 1 : 0; enters <= entersMost; enters += 1) {
    if (enters > 0) await enter(spot);
    const sight = await afterEnter(spot, rest, patience, limits.forever);
    if (!sight) throw ended;
    if (!sight.draft) return sight;
  }
  const sight = await settled(spot);
  throw new Failure(
    'failed_precondition',
    `the briefing stands in the composer and Enter does not submit it${screenMark}\n${lastRowsOf(sight.capture, 10)}`,
  );
}

/** Presses Enter, once nobody scrolls in the pane. */
async function enter(spot: Spot): Promise<void> {
  for (;;) {
    const written = await spot.terminal.submit(spot.paneId, briefingStamps.submitted);
    if (written === 'written') return;
    const still = written === 'in-mode' && (await lookUntil(spot, limits.forever, ({ capture }) => !capture.inMode));
    if (!still) throw ended;
  }
}

function asks({ reading }: Sight): boolean {
  return reading.state === 'AGENT_STATE_WAITING';
}
