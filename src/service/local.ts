import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type {
  CreatedHarness,
  FiringTime,
  LocalCommands,
  LocalHarness,
  LocalRepository,
  LocalRules,
  NewHarness,
  ScreenInput,
} from '#cli/client/local.ts';
import { Failure } from '#contract/failure.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { cellsOf } from '#contract/pane/cells.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import type { HarnessSet } from '#machines/harness/harness-set.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { launchTextOf } from '#machines/harness/launch-part.ts';
import { scaffold } from '#machines/harness/scaffold.ts';
import { builtIn } from '#machines/harness/table.ts';
import { explain, read, readWithin, unread } from '#machines/pane/read.ts';
import { parseScreen } from '#machines/pane/screen.ts';
import { rulesVersion } from '#machines/pane/version.ts';
import { withinProcessorTime } from '#world/concurrency/processor-time.ts';
import { readCron } from '#world/cron/expression.ts';
import { occurrencesAfter } from '#world/cron/occurrences.ts';
import { type Zone, zoneOf } from '#world/cron/zone.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { sha256Of } from '#world/file/text-digest.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { programPathOf } from '#world/process/environment.ts';
import { findProgram } from '#world/program/find-program.mjs';
import { writeSignInPage } from '#world/program/sign-in-page.ts';
import { attachCommand } from '#world/tmux/attach.ts';
import { openViewer } from '#world/tmux/viewer.ts';
import { record, requireNew, testedIn } from './recording/harnesses.ts';
import { readRules } from './rules.ts';
import { signedRulesIn } from './signed-rules.ts';
import { mainFile, stateFolderAt } from './state-folder.ts';

/** Opens what the command line does on this computer without the service. */
export async function openLocal(stateFolder: string): Promise<LocalCommands> {
  const { rules: folder, run } = stateFolderAt(stateFolder);
  const harnesses = await readRules(folder);
  return {
    read: (given) =>
      withinProcessorTime(readWithin, () => read(screensFor(harnesses, given), captureOf(given))) ?? unread,
    explain(given) {
      const screens = screensFor(harnesses, given);
      const explained = withinProcessorTime(readWithin, () => explain(screens, captureOf(given)));
      return { ...(explained ?? { reading: unread, lost: [] }), rules: rulesOf(harnesses, given.harness) };
    },
    harnesses: () => harnessesIn(harnesses, programPathOf(process.env['PATH'] ?? '', stateFolder)),
    attachCommand: (window, readOnly) => attachCommand(run, window, readOnly),
    remoteAttachCommand: (agentId, readOnly) => [
      process.execPath,
      ...[mainFile, 'attach', agentId, '--remote'],
      ...(readOnly ? ['--read-only'] : []),
    ],
    openViewer: (windows, env) => openViewer(run, windows, env),
    program: findProgram,
    signInPage: (address, goodForMs) => writeSignInPage(run, address, goodForMs),
    repository: repositoryAround,
    signedRules: signedRulesIn(folder),
    addHarness: async (harness) => addHarness(folder, harness),
    record: (request) => record(stateFolderAt(stateFolder), request),
    testHarnesses: () => testedIn(folder, harnesses),
    hostId: () => readPrivateFile(join(stateFolder, 'host.id'))?.trim() || undefined,
    firingTimes,
  };
}

async function repositoryAround(folder: string): Promise<LocalRepository | undefined> {
  const found = await findGitDirectory(folder);
  if (found === undefined) return undefined;
  const { workTree, commonDir } = found;
  const checkout = workTree ?? commonDir;
  return { checkout, main: basename(commonDir) === '.git' ? dirname(commonDir) : checkout };
}

function firingTimes(cron: string, timezone: string, after: number, count: number): FiringTime[] {
  const expression = readCron(cron);
  const zone = zoneOf(timezone);
  const times: FiringTime[] = [];
  for (const instant of occurrencesAfter(expression, zone, after)) {
    times.push({ at: new Date(instant).toISOString(), local: localTime(zone, instant) });
    if (times.length >= count) break;
  }
  return times;
}

function localTime(zone: Zone, instant: number): string {
  const offset = zone.offsetAt(instant);
  const wall = new Date(instant + offset);
  const day = wall.toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' });
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  return `${day} ${wall.toISOString().slice(0, 10)} ${clock(wall.getTime())} ${offset < 0 ? '-' : '+'}${clock(Math.abs(offset))}`;
}

function screensFor(harnesses: HarnessSet, { harness, harnessVersion }: ScreenInput): HarnessScreens {
  return screensOf(harnesses, harness, harnessVersion);
}

/** A given screen as a capture. Tabs become blanks, and missing values come from the screen. */
function captureOf({ screen, harness: _, harnessVersion: __, ...given }: ScreenInput): Capture {
  const rows = screen.split(/\r?\n/).map((row) => row.replaceAll('\t', '        '));
  const texts = parseScreen(rows).rows.map(({ text }) => text);
  const last = Math.max(0, texts.length - 1);
  return {
    rows,
    title: given.title ?? '',
    programStatus: given.programStatus ?? '',
    progress: given.progress ?? '',
    width: given.width ?? texts.reduce((widest, text) => Math.max(widest, cellsOf(text)), 1),
    height: given.height ?? rows.length,
    cursor: given.cursor ?? { column: cellsOf(texts[last] ?? ''), row: last },
    command: given.command ?? '',
    inMode: given.inMode ?? false,
    dead: given.dead ?? false,
  };
}

function rulesOf(harnesses: HarnessSet, harness: string): LocalRules {
  const standing = harnesses.files.find((file) => file.harness === harness);
  const version = rulesVersion(screensOf(harnesses, harness));
  const recordedWith = harnesses.find(harness)?.recordedWith;
  if (standing === undefined) return { harness, version, faults: [], recordedWith };
  return { harness, version, file: standing.path, faults: standing.faults, instead: standing.instead, recordedWith };
}

function harnessesIn(harnesses: HarnessSet, path: string): LocalHarness[] {
  const launchOf = (name: string) => {
    const launch = harnesses.files.find(({ harness }) => harness === name)?.launch;
    return launch && { launch: { text: launch.text, digest: launch.digest } };
  };
  const known = harnesses.all().map(({ name, command, screens }) => ({
    name,
    command,
    program: findProgram(command, path),
    rules: rulesOf(harnesses, name),
    ruleCount: screens.rules.length,
    isBuiltIn: builtIn.find(name) !== undefined,
    ...launchOf(name),
  }));
  const refused = harnesses.files.filter(({ harness }) => harnesses.find(harness) === undefined);
  const unknown = refused.map(({ harness }) => ({
    name: harness,
    command: '',
    program: undefined,
    rules: rulesOf(harnesses, harness),
    ruleCount: 0,
    isBuiltIn: false,
  }));
  return [...known, ...unknown];
}

function addHarness(folder: string, { name, command = name, like }: NewHarness): CreatedHarness {
  const path = join(folder, `${name}.json`);
  requireNew(path, name, like);
  if (existsSync(path))
    throw new Failure('HARNESS_EXISTS', `${path} exists already: change it, or choose another name`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = scaffold({ name, command, like });
  writePrivateFile(path, `${JSON.stringify(file, null, 2)}\n`);
  return { path, digest: sha256Of(launchTextOf(name, file, false) ?? '') };
}
