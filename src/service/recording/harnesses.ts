import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Recording, RecordingRequest, TestedHarness } from '#cli/client/recording.ts';
import { Failure } from '#contract/failure.ts';
import { harnessNamePattern } from '#contract/pane/harness-file.ts';
import { type Harnesses, screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { programPathOf } from '#world/process/environment.ts';
import { findProgram } from '#world/program/find-program.mjs';
import { requireOwn, testScreens } from './learning.ts';
import { openRecording, type RecordingFolders } from './recorder.ts';
import { readScreens } from './screen-folder.ts';

/**
 * Starts a CLI in a separate window, to record its screens.
 * @throws ALREADY_EXISTS, INVALID_ARGUMENT, FAILED_PRECONDITION or UNAVAILABLE when it cannot be started
 */
export async function record(folders: RecordingFolders, request: RecordingRequest): Promise<Recording> {
  const { name, like, resume } = request;
  const path = join(folders.rules, `${name}.json`);
  requireNew(path, name, like);
  const kept = readScreens(join(folders.rules, name)).length;
  if (kept > 0 && !resume) {
    throw new Failure(
      'HARNESS_EXISTS',
      `there are ${kept} recorded screens of ${name} already: continue with --resume, or remove ${join(folders.rules, name)}`,
    );
  }
  requireOwn(folders.rules, name);
  const whole = withKept(folders.rules, request);
  const [program = name] = whole.command;
  const found = findProgram(program, programPathOf(process.env['PATH'] ?? '', folders.home));
  if (found === undefined) {
    const how = `install it, or name it after --, as in: muster harness add ${name} -- /path/to/program`;
    throw new Failure('INVALID_USAGE', `${JSON.stringify(program)} was not found on your PATH: ${how}`);
  }
  keep(folders.rules, whole);
  return openRecording(folders, whole);
}

function keep(rules: string, { name, command, variables, like }: RecordingRequest): void {
  mkdirSync(join(rules, name), { recursive: true, mode: 0o700 });
  writePrivateFile(noteOf(rules, name), `${JSON.stringify({ command, variables, like })}\n`);
}

function noteOf(rules: string, name: string): string {
  return join(rules, name, 'recording.json');
}

/** The parameters of a recording, stored with its screens, so that it can be resumed. */
const RecordingParameters = z.object({
  command: z.array(z.string()).min(1),
  variables: z.array(z.string()),
  like: z.string().optional(),
});

/** The request, completed from the stored parameters, or with the program of the harness's name. */
function withKept(rules: string, request: RecordingRequest): RecordingRequest {
  const { name, command, variables, like, resume } = request;
  const text = resume ? readPrivateFile(noteOf(rules, name)) : undefined;
  const earlier = text === undefined ? undefined : parseParameters(noteOf(rules, name), text);
  const whole = {
    command: command.length > 0 ? [...command] : (earlier?.command ?? [name]),
    variables: variables.length > 0 ? [...variables] : (earlier?.variables ?? []),
    like: like ?? earlier?.like,
  };
  return { ...request, ...whole };
}

/** Reads the stored parameters. @throws INVALID_ARGUMENT when the file is damaged */
function parseParameters(path: string, text: string): z.infer<typeof RecordingParameters> {
  try {
    return RecordingParameters.parse(JSON.parse(text));
  } catch {
    throw new Failure('INVALID_USAGE', `${path} cannot be read: name the command after --, and leave --resume out`);
  }
}

/** Checks a new harness. @throws INVALID_ARGUMENT for its name or `like`, ALREADY_EXISTS when it is built in */
export function requireNew(path: string, name: string, like: string | undefined): void {
  if (!harnessNamePattern.test(name)) {
    throw new Failure(
      'INVALID_USAGE',
      `${JSON.stringify(name)} is not a name: use a to z, 0 to 9 and -, at most 40 characters`,
    );
  }
  if (builtIn.find(name) !== undefined) {
    throw new Failure(
      'HARNESS_EXISTS',
      `${name} is built in: agents run it with --harness ${name}. To change its rules, write ${path} yourself`,
    );
  }
  if (like !== undefined && builtIn.find(like) === undefined) {
    const names = builtIn.all().map((harness) => harness.name);
    throw new Failure('INVALID_USAGE', `--like is ${JSON.stringify(like)}: name one of ${names.join(', ')}`);
  }
}

/** Reads the recorded screens in a folder of rules by these harnesses. */
export function testedIn(rules: string, harnesses: Harnesses): TestedHarness[] {
  if (!existsSync(rules)) return [];
  const names = readdirSync(rules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && harnessNamePattern.test(entry.name))
    .map(({ name }) => name)
    .toSorted();
  return names.flatMap((name) => {
    const folder = join(rules, name);
    const screens = readScreens(folder);
    return screens.length === 0 ? [] : [testScreens(name, folder, screensOf(harnesses, name), screens)];
  });
}
