import { createHash } from 'node:crypto';
import type { Capture } from '#contract/pane/capture.ts';
import { type Reading, reasonText } from '#contract/pane/reading.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import type { Sighting } from '#contract/pane/sighting.ts';
import type { ToldReading } from '#machines/agent/agent-context.ts';
import { type Harnesses, screensOf } from '#machines/harness/harnesses.ts';
import { saidByTitle } from '#machines/harness/reports.ts';
import { askedOn } from '#machines/pane/asked.ts';
import { composedIn, holdsDraft } from '#machines/pane/draft.ts';
import { questionOf } from '#machines/pane/question.ts';
import { read, readWithin, unread } from '#machines/pane/read.ts';
import { isShell } from '#machines/pane/shell-name.ts';
import { tailOf } from '#machines/pane/tail.ts';
import { rulesVersion } from '#machines/pane/version.ts';
import { TimeLimit, withinTime } from '#world/concurrency/time-limit.ts';
import type { MachineTimer } from '#world/concurrency/timer.ts';
import type { Terminal } from '#world/terminal/terminal.ts';
import { Recall } from './recall.ts';

/** Of how many screens it is remembered what they ask: one that waits is looked at again and again. */
const mostAsked = 256;

/** What a pane showed at one moment, and what it was read as. */
export interface Sight {
  readonly harness: string;
  /** The version of the rules that it was read by. */
  readonly rules: string;
  readonly capture: Capture;
  readonly reading: Reading;
  /** What the screen asks a person, on one line; empty where it does not wait. */
  readonly asked: string;
  /** Equal for equal screens. */
  readonly digest: string;
  /** Equal where a person is asked the same, or sees the same: the title, and what blinks above a question, are left out. */
  readonly screenDigest: string;
  /** What the CLI says of itself in the window's title; undefined where it says nothing there. */
  readonly said: string | undefined;
  /** What stands in the composer, or in the row of the cursor up to it where there is no composer, without line ends. */
  readonly composed: string;
  /** Whether a text that was not sent stands in the composer. */
  readonly draft: boolean;
}

/** Looks at a pane and reads it by its harness's rules as they are now; undefined where there is no such pane. */
export type Look = (terminal: Terminal, paneId: string, harness: string) => Promise<Sight | undefined>;

/**
 * Looks by the rules of these harnesses; a pane of any other one reads as uncertain. Where reading takes too long the pane
 * reads as uncertain too, and `tooSlow` is told.
 */
export function lookBy(harnesses: Harnesses, tooSlow: (screens: HarnessScreens) => void = () => {}): Look {
  const limit = new TimeLimit(readWithin);
  const asked = new Recall<string>(mostAsked);
  return async (terminal, paneId, harness) => {
    const captured = await terminal.capture(paneId);
    if (!captured) return undefined;
    const screens = screensOf(harnesses, harness);
    const capture = await inFront(terminal, paneId, captured, harnesses.find(harness)?.command ?? '');
    const reading = (await limit.within(() => read(screens, capture))) ?? unread;
    if (reading === unread) tooSlow(screens);
    const digest = hashOf([capture.rows, capture.cursor, capture.title]);
    return {
      harness,
      rules: rulesVersion(screens),
      capture,
      reading,
      said: saidByTitle(harnesses.find(harness)?.reports, capture.title),
      digest,
      get asked() {
        if (reading.state !== 'AGENT_STATE_WAITING') return '';
        const tell = (): string => withinTime(readWithin, () => askedOn(screens, capture, reading)) ?? '';
        return asked.of(`${harness} ${digest} ${reading.rule}`, tell);
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
 * The capture with the program that a person would be talking to. Where a shell seems to be in front of what is none, it may
 * be the one that reads the script which has started the CLI: the pane's processes tell.
 */
async function inFront(terminal: Terminal, paneId: string, capture: Capture, cli: string): Promise<Capture> {
  if (capture.dead || !isShell(capture.command) || isShell(cli)) return capture;
  return { ...capture, command: (await terminal.frontProgram(paneId)) ?? capture.command };
}

function hashOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex');
}

/** Whether a shell runs where the CLI did: what is typed there would be run as commands. */
export function isAtShell({ reading }: Sight): boolean {
  return reading.rule === 'pane/exited';
}

/** A reading as a machine is told of it. */
export function toldOf({ reading, asked }: Sight): ToldReading {
  return { state: reading.state, reason: reasonText(reading), ...(asked !== '' && { asked }) };
}

/** A sight as it is kept with the move that comes of it. */
export function sightingOf({ harness, rules, reading, capture }: Sight): Sighting {
  return { harness, rules, rule: reading.rule, evidence: [...reading.evidence], screen: tailOf(capture) };
}

/** What is looked at, and how. */
export interface Spot {
  readonly look: Look;
  readonly terminal: Terminal;
  readonly paneId: string;
  readonly harness: string;
  readonly clock: MachineTimer;
  readonly signal: AbortSignal;
}

/** The rows of text that stand last on a screen, without attributes: for reasons that people read. */
export function lastRowsOf(capture: Capture, lines: number): string {
  return (
    capture.rows
      // biome-ignore lint/suspicious/noControlCharactersInRegex: SGR sequences begin with an escape character
      .map((row) => row.replace(/\x1b\[[0-9;:]*m/g, '').trimEnd())
      .filter((row) => row !== '')
      .slice(-lines)
      .join('\n')
  );
}

/** How often a pane is looked at where it sends no hint, in milliseconds. */
const glanceMs = 250;

/**
 * Looks again and again, at each hint and at least every 250 ms, until a sight will do; undefined once the time is up or
 * the pane is gone. `unchangedMs` tells how long the screen has stayed as it is.
 * @throws the signal's reason when it is aborted
 */
export async function lookUntil(
  spot: Spot,
  withinMs: number,
  willDo: (sight: Sight, unchangedMs: number) => boolean,
): Promise<Sight | undefined> {
  const { look, terminal, paneId, harness, clock, signal } = spot;
  const end = clock.monotonic() + withinMs;
  let last: Sight | undefined;
  let since = clock.monotonic();
  for (;;) {
    signal.throwIfAborted();
    const sight = await look(terminal, paneId, harness);
    if (!sight || sight.capture.dead) return undefined;
    if (sight.digest !== last?.digest) since = clock.monotonic();
    last = sight;
    if (willDo(sight, clock.monotonic() - since)) return sight;
    if (clock.monotonic() >= end) return undefined;
    await hintOrGlance(spot);
  }
}

async function hintOrGlance({ terminal, paneId, clock, signal }: Spot): Promise<void> {
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
