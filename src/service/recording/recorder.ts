import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LearnedHarness, Recording, RecordingRequest } from '#cli/client/recording.ts';
import type { Key } from '#contract/key.ts';
import type { Capture } from '#contract/pane/capture.ts';
import type { RecordedScreen, ScreenLabel } from '#contract/pane/recorded-screen.ts';
import { sizeOf } from '#machines/harness/learn/assessment.ts';
import { agentEnvironment, baseEnvironment } from '#world/process/environment.ts';
import { paneSize } from '#world/terminal/pane-size.ts';
import { freshFolder } from './fresh-folder.ts';
import { learnFrom } from './learning.ts';
import { isBlank, openRecordingWindow, type RecordingWindow, type WindowSize } from './recording-window.ts';
import { readScreens, removeScreens, writeScreens } from './screen-folder.ts';
import { framesAtWork } from './work-frames.ts';

/** The second recorded size, which is common for people's terminals. */
export const smallSize: WindowSize = { columns: 80, rows: 24 };

/**
 * The pauses before further frames of the same moment, in milliseconds. They differ, so that a spinner is not always
 * captured in the same position.
 */
const pauses = { working: [130, 190, 310, 250, 370], others: [400] } as const;
/** How long a screen must be unchanged after a resize, and how long to wait for that at most, in milliseconds. */
const settled = { quietMs: 500, limitMs: 2_500 } as const;

/** The folders that a recording needs. */
export interface RecordingFolders {
  /** The state folder. */
  readonly home: string;
  /** The folder of rules files. */
  readonly rules: string;
  /** The folder of sockets. */
  readonly run: string;
  /** The folder of temporary folders. */
  readonly tmp: string;
}

/** Starts a CLI in a separate window. @throws FAILED_PRECONDITION or UNAVAILABLE when that fails */
export async function openRecording(folders: RecordingFolders, request: RecordingRequest): Promise<Recording> {
  const { name, command, variables, size } = request;
  const folder = join(folders.rules, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fresh = request.cwd === undefined ? freshFolder(folders.tmp, name) : undefined;
  const environment = agentEnvironment(baseEnvironment(process.env, join(folders.home, 'bin')), variables);
  try {
    const cwd = request.cwd ?? fresh ?? folder;
    const runDir = join(folders.run, 'recording');
    const window = await openRecordingWindow({ runDir, name, argv: command, cwd, environment, size });
    return new CliRecording({ folders, request, folder, window, fresh });
  } catch (error) {
    if (fresh !== undefined) rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
}

interface Parts {
  readonly folders: RecordingFolders;
  readonly request: RecordingRequest;
  readonly folder: string;
  readonly window: RecordingWindow;
  /** The folder to remove at the end. */
  readonly fresh: string | undefined;
}

class CliRecording implements Recording {
  readonly command: readonly string[];
  readonly folder: string;
  readonly #parts: Parts;
  #screens: readonly RecordedScreen[];
  /** The moments recorded here, in order. */
  readonly #moments: { readonly label: ScreenLabel; readonly moment: number }[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.command = parts.request.command;
    this.folder = parts.folder;
    this.#screens = readScreens(parts.folder);
  }

  get attach(): readonly string[] {
    return this.#parts.window.attach;
  }

  screens(): readonly RecordedScreen[] {
    return this.#screens;
  }

  capture(): Promise<Capture> {
    return this.#parts.window.capture();
  }

  still(limitMs: number): Promise<Capture> {
    return this.#parts.window.still(1_000, limitMs);
  }

  type(text: string): Promise<void> {
    return this.#parts.window.type(text);
  }

  press(keys: readonly Key[]): Promise<void> {
    return this.#parts.window.press(keys);
  }

  async record(label: ScreenLabel): Promise<readonly RecordedScreen[]> {
    const { window, request, folder } = this.#parts;
    const moment = 1 + Math.max(0, ...this.#screens.filter((one) => one.label === label).map((one) => one.moment));
    const sizes = [await this.#frames(label)];
    if (sizes[0]?.at(-1)?.dead === false) {
      await window.resize(otherSize(request.size));
      await window.still(settled.quietMs, settled.limitMs);
      sizes.push(await this.#frames(label));
      await window.resize(request.size);
      await window.still(settled.quietMs, settled.limitMs);
    }
    const shown = sizes.map((frames) => frames.filter((frame) => frame.dead || !isBlank(frame)));
    const captures = label === 'working' ? framesAtWork(shown) : shown.flat();
    const screens = named(captures, label, moment);
    writeScreens(folder, screens);
    this.#screens = readScreens(folder);
    this.#moments.push({ label, moment });
    return screens;
  }

  async #frames(label: ScreenLabel): Promise<Capture[]> {
    const captures = [await this.capture()];
    for (const ms of label === 'working' ? pauses.working : pauses.others) {
      await pause(ms);
      captures.push(await this.capture());
    }
    return captures;
  }

  undo(label: ScreenLabel | undefined): ScreenLabel | undefined {
    const last = label === undefined ? this.#moments.at(-1) : this.#screens.findLast((one) => one.label === label);
    if (last === undefined) return undefined;
    const isOfIt = (one: { readonly label: ScreenLabel; readonly moment: number }): boolean =>
      one.label === last.label && one.moment === last.moment;
    removeScreens(this.folder, this.#screens.filter(isOfIt));
    this.#screens = readScreens(this.folder);
    const at = this.#moments.findIndex(isOfIt);
    if (at >= 0) this.#moments.splice(at, 1);
    return last.label;
  }

  learn(): LearnedHarness {
    const { folders, request } = this.#parts;
    return learnFrom(folders.rules, request, this.#screens);
  }

  async close(): Promise<void> {
    const { window, fresh, folder } = this.#parts;
    await window.end();
    if (fresh !== undefined) rmSync(fresh, { recursive: true, force: true });
    if (this.#screens.length === 0 && existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

function otherSize({ columns }: WindowSize): WindowSize {
  return columns === paneSize.columns ? smallSize : paneSize;
}

/** The captures without duplicates, each with a name. */
function named(captures: readonly Capture[], label: ScreenLabel, moment: number): RecordedScreen[] {
  const different = new Map(captures.map((capture) => [JSON.stringify({ ...capture, cursor: undefined }), capture]));
  const counts = new Map<string, number>();
  return [...different.values()].map((capture) => {
    const size = sizeOf({ name: '', label, moment, capture });
    const frame = (counts.get(size) ?? 0) + 1;
    counts.set(size, frame);
    return { name: `${label}-${moment}-${size}-${frame}`, label, moment, capture };
  });
}
