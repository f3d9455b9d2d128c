import type { Performance, Performer } from '#actors/host/agent/performer.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import { retry } from '#actors/host/agent/retry.ts';
import { StepFailure } from '#actors/host/agent/step-failure.ts';
import type { Isolation } from '#actors/host/isolation/isolation.ts';
import {
  cliOf,
  isAtShell,
  lastRowsOf,
  type Observation,
  type ObservePane,
  observeUntil,
  sightingOf,
  type Target,
  toReading,
} from '#actors/host/reading/observation.ts';
import { briefingStamps } from '#actors/host/typing/briefing-stamp.ts';
import { monotonicUntil, ownPermission } from '#actors/host/typing/permission.ts';
import { runningTerminal } from '#actors/host/typing/terminal-mutex.ts';
import { afterEnter, type WaitLimits } from '#actors/host/typing/typing.ts';
import { paneGone, terminalGone } from '#actors/host/watch/exit-reason.ts';
import { screenMark } from '#contract/fact/reason-parts.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { type AgentEvent, readAgentContext } from '#machines/agent/agent-context.ts';
import type { MachineTimer } from '#world/concurrency/timer.ts';
import type { Terminals } from '#world/terminal/terminal.ts';

/** How long each part may take, in milliseconds. The whole is bounded by the machine's own deadline. */
const limits = {
  /** A screen at rest must remain so: some CLIs paint their composer before they take input. */
  rest: 400,
  /** A CLI that is still starting may accept the paste late, and a second paste would then duplicate it. */
  paste: 20_000,
  quiet: 200,
  forever: 24 * 3_600_000,
} as const;
const patience: WaitLimits = { draft: 5_000, reaction: 1_500, noReaction: 10_000 };

/** How often a paste that did not appear, or an Enter without effect, is repeated. */
const maxPastes = 3;
const maxEnters = 3;

/** Thrown if the pane died while it was observed. */
const ended = new Failure('CLI_ENDED_MEANWHILE', 'the CLI ended during its briefing');

/** The dependencies of the delivery of a briefing. */
export interface BriefingTools {
  readonly terminals: Terminals;
  readonly observePane: ObservePane;
  readonly clock: MachineTimer;
  readonly registry: Pick<RegistryClient, 'load'>;
  readonly isolation: Pick<Isolation, 'exceeded'>;
}

/**
 * Types the briefing into the CLI's composer, submits it, and checks that the CLI accepted it. The same step stamps on
 * the pane what was typed, so after a crash it continues from there and types nothing twice. While the CLI asks a
 * question, it types nothing: a person has to answer.
 */
export function deliverBriefing({ terminals, observePane, clock, registry, isolation }: BriefingTools): Performer {
  return {
    step: 'briefing',
    async perform(performance: Performance): Promise<AgentEvent | undefined> {
      const { record, latest, signal } = performance;
      const { briefing } = record.launch;
      const cli = () => cliOf(record, readAgentContext(latest().snapshot));
      const terminal = await runningTerminal(terminals, record.family);
      if (!terminal)
        return confirmEnd({ terminals, clock }, record, terminalGone({ reason: terminals.endReason, briefed: false }));
      const own = async () => (await terminal.panes()).find(({ agentId }) => agentId === record.id);
      const pane = await own();
      try {
        const paneId = pane?.paneId ?? '';
        const target: Target = {
          ...{ observePane, terminal, paneId, clock, signal },
          harness: record.launch.harness,
          // The CLI may still be printing it.
          get version() {
            return cli().version;
          },
        };
        if (pane && !pane.dead) return await brief(target, briefing, () => dueUntil({ registry, clock }, performance));
      } catch (error) {
        if (error !== ended) throw error;
      }
      const exceeded = isolation.exceeded(record.id);
      const isIsolated = record.launch.isolation !== undefined;
      const place = { observePane, terminal, endReason: terminals.endReason, exceeded, isIsolated };
      return confirmEnd({ terminals, clock }, record, await paneGone(place, await own(), cli()));
    },
  };
}

/**
 * The deadline for typing the briefing, on the machine's own clock. It asks the registry, because the launch may have
 * ended while this host was disconnected. While the registry cannot be reached, nothing is typed.
 * @throws ABORTED when the briefing is no longer to be delivered
 */
async function dueUntil(
  { registry, clock }: Pick<BriefingTools, 'registry' | 'clock'>,
  { record, effect, signal }: Performance,
): Promise<number> {
  const permission = await retry(clock, signal, () => ownPermission({ registry, clock }, record.id));
  if (permission.record.effects.some(({ key }) => key === effect.key)) return monotonicUntil(permission, clock);
  throw new Failure('LAUNCH_ENDED', 'the launch ended before its briefing was submitted; nothing more was typed');
}

/** The end of the pane, once the terminal confirms it. @throws UNAVAILABLE when the pane is alive after all */
async function confirmEnd(
  { terminals, clock }: Pick<BriefingTools, 'terminals' | 'clock'>,
  { id, family }: AgentRecord,
  gone: Extract<AgentEvent, { type: 'PANE_GONE' }>,
): Promise<AgentEvent> {
  const panes = await terminals.ask(family);
  if (!panes?.some(({ agentId, dead }) => agentId === id && !dead)) return { ...gone, at: clock.now() };
  throw new Failure('PANE_STILL_LIVES', 'the pane that seemed to have ended before its briefing is alive');
}

async function brief(target: Target, briefing: string, mayUntil: () => Promise<number>): Promise<AgentEvent> {
  const stamp = await target.terminal.stampOf(target.paneId);
  const isSubmitted = stamp === briefingStamps.submitted;
  const { rest, drafted } = isSubmitted
    ? { drafted: await stillScreen(target) }
    : await paste(target, stamp !== '', { briefing, mayUntil });
  const observation = await submit(target, { isDue: !isSubmitted || drafted.draft, rest, mayUntil });
  return { type: 'BRIEFED', reading: toReading(observation), sighting: sightingOf(observation) };
}

/** The screens of a paste: the one before it, if it was captured, and the one that shows it. */
interface PasteScreens {
  readonly rest: Observation | undefined;
  readonly drafted: Observation;
}

/** The text to paste, and the deadline for it. */
interface Paste {
  readonly briefing: string;
  readonly mayUntil: () => Promise<number>;
}

/**
 * Pastes once the CLI is at rest with an empty composer, unless that was done before, and waits for the paste to
 * appear.
 */
async function paste(target: Target, isPasted: boolean, { briefing, mayUntil }: Paste): Promise<PasteScreens> {
  const before = isPasted ? await shown(target, undefined) : undefined;
  if (before) return { rest: undefined, drafted: before };
  for (let pastes = 0; pastes < maxPastes; ) {
    const rest = await atRest(target);
    const until = await mayUntil();
    const written = await target.terminal.paste(target.paneId, briefing, briefingStamps.pasted, until);
    if (written === 'in-mode' || written === 'late') continue;
    if (written !== 'written') throw ended;
    pastes += 1;
    const drafted = await shown(target, rest);
    if (drafted) return { rest, drafted };
  }
  throw new Failure('BRIEFING_NOT_TAKEN', `the CLI did not show what was pasted, ${maxPastes} times`);
}

/**
 * The screen that shows the paste; undefined if it does not appear. A question that appears at that moment may have
 * swallowed the paste. Once a person has answered it, only a draft proves that the paste arrived.
 */
async function shown(target: Target, rest: Observation | undefined): Promise<Observation | undefined> {
  const observation = await observeUntil(target, limits.paste, (one, unchangedMs) => {
    const isOther = rest ? one.digest !== rest.digest : one.draft || one.reading.state === 'AGENT_STATE_THINKING';
    return asks(one) || (isOther && unchangedMs >= limits.quiet);
  });
  if (observation) refuseShell(observation);
  if (!observation || !asks(observation)) return observation;
  await answered(target);
  return shown(target, undefined);
}

/** Waits until a person has answered the CLI's question. */
async function answered(target: Target): Promise<void> {
  const observation = await observeUntil(
    target,
    limits.forever,
    (one, unchangedMs) => !asks(one) && unchangedMs >= limits.quiet,
  );
  if (!observation) throw ended;
}

async function atRest(target: Target): Promise<Observation> {
  const rest = await observeUntil(
    target,
    limits.forever,
    (one, unchangedMs) => (one.reading.state === 'AGENT_STATE_IDLE' || isAtShell(one)) && unchangedMs >= limits.rest,
  );
  if (!rest) throw ended;
  refuseShell(rest);
  return rest;
}

/** A shell would run the briefing as commands. */
function refuseShell(observation: Observation): void {
  if (!isAtShell(observation)) return;
  throw notTaken('the CLI exited to a shell before it accepted its briefing', observation);
}

async function stillScreen(target: Target): Promise<Observation> {
  const observation = await observeUntil(target, limits.forever, (_, unchangedMs) => unchangedMs >= limits.quiet);
  if (!observation) throw ended;
  return observation;
}

/**
 * Presses Enter and waits for the CLI's reaction. A CLI that is still starting may ignore the Enter, or redraw its
 * composer with the draft still in it: then Enter is pressed again.
 */
async function submit(
  target: Target,
  { isDue, rest, mayUntil }: Pick<PasteScreens, 'rest'> & Pick<Paste, 'mayUntil'> & { readonly isDue: boolean },
): Promise<Observation> {
  for (let enters = isDue ? 1 : 0; enters <= maxEnters; enters += 1) {
    if (enters > 0) await enter(target, mayUntil);
    const observation = await afterEnter(target, rest, patience, limits.forever);
    if (!observation) throw ended;
    if (!observation.draft) return observation;
  }
  const observation = await stillScreen(target);
  throw notTaken('the briefing is in the composer, and Enter does not submit it', observation);
}

function notTaken(summary: string, { recorded }: Observation): StepFailure {
  return new StepFailure('BRIEFING_NOT_TAKEN', `${screenMark}\n`, { summary, output: lastRowsOf(recorded, 10) });
}

/** Presses Enter, once no person scrolls in the pane, and only while the registry is reachable. */
async function enter(target: Target, mayUntil: () => Promise<number>): Promise<void> {
  for (;;) {
    const until = await mayUntil();
    const written = await target.terminal.submit(target.paneId, briefingStamps.submitted, until);
    if (written === 'written') return;
    if (written === 'late') continue;
    const still =
      written === 'in-mode' && (await observeUntil(target, limits.forever, ({ capture }) => !capture.inMode));
    if (!still) throw ended;
  }
}

function asks({ reading }: Observation): boolean {
  return reading.state === 'AGENT_STATE_WAITING';
}
