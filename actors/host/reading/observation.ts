import { createHash } from 'node:crypto';
import { KnownSecrets } from '#actors/host/secret/known-secrets.ts';
import { Redactor } from '#actors/host/secret/redactor.ts';
import type { AccountLimit } from '#contract/agent/park.ts';
import { withoutAttributes } from '#contract/pane/attributes.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { exitedRule, type Reading, reasonText } from '#contract/pane/reading.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import type { Sighting } from '#contract/pane/sighting.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentContext, ReportedReading } from '#machines/agent/agent-context.ts';
import { type Harnesses, screensOf } from '#machines/harness/harnesses.ts';
import { reportedByTitle } from '#machines/harness/reports.ts';
import { composedIn, holdsDraft } from '#machines/pane/draft.ts';
import { shownLimit } from '#machines/pane/limit/shown-limit.ts';
import { questionOf } from '#machines/pane/question.ts';
import { questionOn } from '#machines/pane/question-text.ts';
import { read, readWithin, unread } from '#machines/pane/read.ts';
import { isShell } from '#machines/pane/shell-name.ts';
import { tailOf } from '#machines/pane/tail.ts';
import { rulesVersion } from '#machines/pane/version.ts';
import { TimeLimit, withinTime } from '#world/concurrency/time-limit.ts';
import type { MachineTimer } from '#world/concurrency/timer.ts';
import type { Terminal } from '#world/terminal/terminal.ts';
import { LruCache } from './lru-cache.ts';

/** How many screens' questions are cached, because a waiting screen is observed again and again. */
const maxRemembered = 256;

/** What a pane showed at one moment, and its reading. */
export interface Observation {
  readonly harness: string;
  /** The version of its CLI; undefined if it is not known. */
  readonly version?: string | undefined;
  /** The version of the rules that read it. */
  readonly rules: string;
  /** The raw content of the pane, which is never stored. */
  readonly capture: Capture;
  /** The same without secrets, to store and report. */
  readonly recorded: Capture;
  /** Without secrets. */
  readonly reading: Reading;
  /** The limit of the CLI's account that the screen shows. */
  readonly limit?: AccountLimit | undefined;
  /** What the screen asks a person, on one line; empty if it does not wait. */
  readonly asked: string;
  /**
   * Equal for screens that count as unchanged: for equal screens, and for equal prompts of a shell, since a job in the
   * background may keep painting elsewhere.
   */
  readonly digest: string;
  /** Equal for equal screens only. */
  readonly fullDigest: string;
  /** Equal for screens that ask or show a person the same. Ignores the title, and animation above a question. */
  readonly screenDigest: string;
  /** What the CLI reports in the window's title; undefined if it reports nothing there. */
  readonly said: string | undefined;
  /** The text in the composer, without line ends; without a composer, the cursor's row up to the cursor. */
  readonly composed: string;
  /** Whether the composer holds text that was not submitted. */
  readonly draft: boolean;
}

/** The harness that runs in a pane, and the version of its CLI, if known. */
export interface CliIdentity {
  readonly harness: string;
  readonly version?: string | undefined;
}

/** The CLI that an agent was started with. */
export function cliOf({ launch }: Pick<AgentRecord, 'launch'>, { harnessVersion }: AgentContext): CliIdentity {
  return { harness: launch.harness, version: harnessVersion };
}

/** The time by which CLIs announce the end of a limit. */
interface LocalTime {
  /** Milliseconds since 1970. */
  now(): number;
  readonly zone: string;
}

const localTime: LocalTime = { now: () => Date.now(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone };

/** Captures a pane and reads it by the current rules of its harness; undefined if there is no such pane. */
export type ObservePane = (terminal: Terminal, paneId: string, cli: CliIdentity) => Promise<Observation | undefined>;

/**
 * Observes panes by the rules of these harnesses; panes of other harnesses read as uncertain. If reading takes too
 * long, the pane also reads as uncertain, and `tooSlow` is called. What is recorded has no secret of `redactor`.
 */
export function paneObserver(
  harnesses: Harnesses,
  tooSlow: (screens: HarnessScreens) => void = () => {},
  redactor: Pick<Redactor, 'text' | 'rows'> = new Redactor(new KnownSecrets()),
  time: LocalTime = localTime,
): ObservePane {
  const limit = new TimeLimit(readWithin);
  const questions = new LruCache<string>(maxRemembered);
  return async (terminal, paneId, { harness, version }) => {
    const captured = await terminal.capture(paneId);
    if (!captured) return undefined;
    const screens = screensOf(harnesses, harness, version);
    const cli = harnesses.find(harness)?.command ?? '';
    const capture = await inFront(terminal, paneId, captured, cli);
    const reading = (await limit.within(() => read(screens, capture))) ?? unread;
    if (reading === unread) tooSlow(screensOf(harnesses, harness));
    const fullDigest = hashOf([capture.rows, capture.cursor, capture.title]);
    const isPrompt = isShell(cli) && reading.state === 'AGENT_STATE_IDLE';
    const digest = isPrompt ? hashOf([promptOf(capture), capture.cursor, capture.title]) : fullDigest;
    return {
      harness,
      version,
      rules: rulesVersion(screens),
      capture,
      get recorded() {
        return { ...capture, rows: [...redactor.rows(capture.rows)], title: redactor.text(capture.title) };
      },
      reading: recordedReading(redactor, reading),
      limit: shownLimit(reading, time.now(), time.zone),
      said: reportedByTitle(harnesses.find(harness)?.reports, capture.title),
      digest,
      fullDigest,
      get asked() {
        if (reading.state !== 'AGENT_STATE_WAITING') return '';
        const read = (): string => withinTime(readWithin, () => questionOn(screens, capture, reading)) ?? '';
        return redactor.text(questions.get(`${harness} ${digest} ${reading.rule}`, read));
      },
      get screenDigest() {
        return hashOf(questionOf(screens, capture));
      },
      get composed() {
        return withinTime(readWithin, () => composedIn(screens, capture)) ?? '';
      },
      get draft() {
        return reading.reason === 'draft' || (withinTime(readWithin, () => holdsDraft(screens, capture)) ?? true);
      },
    };
  };
}

/**
 * Completes a capture from the pane's processes. For a shell agent: whether its program waits for a line of input. For
 * another CLI, if a shell seems to be in front: the program that really is, because the shell may only run the script
 * that started the CLI.
 */
async function inFront(terminal: Terminal, paneId: string, capture: Capture, cli: string): Promise<Capture> {
  if (capture.dead) return capture;
  // A shell's programs prompt in any words or none, or pause in the middle of a row while they work: their processes
  // show which.
  if (isShell(cli)) return withAwaited(terminal, paneId, await withContained(terminal, paneId, capture));
  if (!isShell(capture.command)) return capture;
  return { ...capture, command: (await terminal.frontProgram(paneId)) ?? capture.command };
}

/** The capture of a container's pane, with the program in the front of the container in place of the engine's client. */
async function withContained(terminal: Terminal, paneId: string, capture: Capture): Promise<Capture> {
  if (!/^(?:podman|docker)$/.test(capture.command)) return capture;
  return { ...capture, command: (await terminal.frontProgram(paneId)) ?? capture.command };
}

/** The capture with whether a program waits for a line. Ignored if another screen has appeared meanwhile. */
async function withAwaited(terminal: Terminal, paneId: string, capture: Capture): Promise<Capture> {
  const awaitsLine = await terminal.awaitsLine(paneId);
  if (!awaitsLine) return { ...capture, awaitsLine };
  const again = await terminal.capture(paneId);
  return hashOf(again) === hashOf(capture) ? { ...capture, awaitsLine } : capture;
}

/** A reading without secrets. Its state and rule are never part of one. */
function recordedReading(redactor: Pick<Redactor, 'text' | 'rows'>, reading: Reading): Reading {
  const { reason, detail, evidence } = reading;
  return {
    ...reading,
    reason: redactor.text(reason),
    detail: redactor.text(detail),
    evidence: redactor.rows(evidence),
  };
}

/** The row of a shell's prompt. */
function promptOf({ rows, cursor }: Capture): string {
  return rows[cursor.row] ?? '';
}

function hashOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex');
}

/** Whether the CLI has exited to a shell, which would run what is typed as commands. */
export function isAtShell({ reading }: Observation): boolean {
  return reading.rule === exitedRule;
}

/** A reading as the agent's machine receives it. */
export function toReading({ reading, asked, limit }: Observation): ReportedReading {
  const drafted = reading.reason === 'draft';
  return {
    state: reading.state,
    reason: reasonText(reading),
    ...(asked !== '' && { asked }),
    ...(drafted && { drafted }),
    ...(limit !== undefined && { limit }),
    ...(reading.rule === exitedRule && { exited: true }),
  };
}

/** An observation as it is stored with the transition that it causes. */
export function sightingOf({ harness, rules, reading, recorded }: Observation): Sighting {
  return { harness, rules, rule: reading.rule, evidence: [...reading.evidence], screen: tailOf(recorded) };
}

/** A pane to observe. */
export interface Target extends CliIdentity {
  readonly observePane: ObservePane;
  readonly terminal: Terminal;
  readonly paneId: string;
  readonly clock: MachineTimer;
  readonly signal: AbortSignal;
}

/** The last rows of a screen with text, without attributes, for reasons that people read. */
export function lastRowsOf(capture: Capture, lines: number): string {
  return rowsOf(capture).slice(-lines).join('\n');
}

/** As `lastRowsOf`, but only rows with words. */
export function lastRowsWithWords(capture: Capture, lines: number): readonly string[] {
  return withWords(rowsOf(capture)).slice(-lines);
}

/** The rows with a letter or a digit, trimmed. Leaves out frames and empty prompts. */
export function withWords(rows: readonly string[]): readonly string[] {
  return rows.filter((row) => /[\p{L}\p{N}]/u.test(row)).map((row) => row.trim());
}

function rowsOf(capture: Capture): readonly string[] {
  return capture.rows.map((row) => withoutAttributes(row).trimEnd()).filter((row) => row !== '');
}

/** How often a pane is observed if it sends no hint, in milliseconds. */
const defaultGlanceMs = 250;

/**
 * Observes a pane at each hint, and at least every `glanceMs`, until `willDo` accepts an observation; undefined if time
 * runs out or the pane is gone. `unchangedMs` is how long the screen has not changed.
 * @throws the signal's reason when it is aborted
 */
export async function observeUntil(
  target: Target,
  withinMs: number,
  willDo: (observation: Observation, unchangedMs: number) => boolean,
  glanceMs = defaultGlanceMs,
): Promise<Observation | undefined> {
  const { observePane, terminal, paneId, clock, signal } = target;
  const end = clock.monotonic() + withinMs;
  let last: Observation | undefined;
  let since = clock.monotonic();
  for (;;) {
    signal.throwIfAborted();
    const observation = await observePane(terminal, paneId, target);
    if (!observation || observation.capture.dead) return undefined;
    if (observation.digest !== last?.digest) since = clock.monotonic();
    last = observation;
    if (willDo(observation, clock.monotonic() - since)) return observation;
    if (clock.monotonic() >= end) return undefined;
    await hintOrGlance(target, glanceMs);
  }
}

async function hintOrGlance({ terminal, paneId, clock, signal }: Target, glanceMs: number): Promise<void> {
  const glance = new AbortController();
  const leave = terminal.onHint((hint) => {
    if (hint.kind !== 'output' || hint.paneId === paneId) glance.abort();
  });
  try {
    await clock.sleep(glanceMs, AbortSignal.any([signal, glance.signal]));
  } catch {
    signal.throwIfAborted();
  } finally {
    leave();
  }
}
