import { join } from 'node:path';
import type { z } from 'zod';
import type { SandboxTrials } from '#actors/host/isolation/sandbox-trials.ts';
import type { MoveRequests } from '#actors/host/move/move-requests.ts';
import { reviewAnswers } from '#actors/host/review/review-answers.ts';
import type { ReviewRequests } from '#actors/host/review/review-requests.ts';
import type { RoomRequests } from '#actors/host/room/room-requests.ts';
import type { Redactor } from '#actors/host/secret/redactor.ts';
import type { LaunchRequests } from '#actors/host/serve/launch-requests.ts';
import type { InputDriver } from '#actors/host/typing/input-driver.ts';
import type { Inspector } from '#actors/host/watch/inspector.ts';
import type { PaneHints } from '#actors/host/watch/pane-hints.ts';
import type { SetupTrials } from '#actors/host/workflow/setup-trials.ts';
import type { RunningService } from '#bus/bus.ts';
import type { HostLine } from '#bus/host-line/host-line.ts';
import { Failure } from '#contract/failure.ts';
import type { Check } from '#contract/host/check.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { isDirectory, resolveDirectory } from '#world/file/directory.ts';
import { listDirectories } from '#world/file/list-directories.ts';
import { newestRecords } from '#world/file/newest-records.ts';
import { remoteWebUrls } from '#world/git/remote/push-address.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { leftBehind, leftByChanges } from '#world/git/worktree/left-behind.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import type { Host } from './host.ts';

/**
 * How long the search for files that a worktree will lack may take, in milliseconds. The caller of a launch waits for
 * it.
 */
const leftBehindMs = 3_000;

export interface CallsOptions {
  readonly line: Pick<HostLine, 'serve'>;
  readonly host: Host;
  readonly terminals: Terminals;
  readonly inputDriver: InputDriver;
  readonly inspector: Inspector;
  readonly paneHints: PaneHints;
  readonly reviews: ReviewRequests;
  readonly trials: Pick<SetupTrials, 'start' | 'read' | 'stop'>;
  readonly moves: Pick<MoveRequests, 'checkArrival' | 'checkDeparture' | 'packRound' | 'dropPackage' | 'readPackage'>;
  readonly redactor: Pick<Redactor, 'text'>;
  readonly room: Pick<RoomRequests, 'measure' | 'clean'>;
  readonly sandboxes: Pick<SandboxTrials, 'fault'>;
  /** muster's state folder. */
  readonly stateFolder: string;
  readonly launches: Pick<LaunchRequests, 'list' | 'checks'>;
  /** Checks the host's requirements on its machine. */
  readonly examine: () => Promise<Check[]>;
}

/** Answers the registry's requests to this host. */
export async function serveCalls(options: CallsOptions): Promise<RunningService> {
  const { line, host, terminals, inputDriver, inspector, paneHints, reviews, launches } = options;
  const answers: Answers = {
    ...reviewAnswers(reviews),
    ...trialAnswers(options.trials),
    [hostCalls.trySandbox.verb]: async (body) => {
      const { path: cwd, ...launch } = parseRequest(hostCalls.trySandbox.request, body);
      const fault = await options.sandboxes.fault({ cwd, ...launch });
      return fault === undefined ? {} : { fault: fault.slice(0, 2_000) };
    },
    ...moveAnswers(options.moves),
    [hostCalls.measureRoom.verb]: (body) => options.room.measure(parseRequest(hostCalls.measureRoom.request, body)),
    [hostCalls.cleanAgent.verb]: (body) => options.room.clean(parseRequest(hostCalls.cleanAgent.request, body)),
    [hostCalls.examine.verb]: async () => ({
      checks: [...(await options.examine()), ...launches.checks()],
      now: systemTimer.now(),
    }),
    [hostCalls.launches.verb]: (body) => launches.list(parseRequest(hostCalls.launches.request, body).harness),
    [hostCalls.attach.verb]: (body) => attach(host, terminals, body),
    [hostCalls.directory.verb]: (body) => directory(body, options.stateFolder),
    [hostCalls.directories.verb]: (body) =>
      listDirectories(parseRequest(hostCalls.directories.request, body).path, options.stateFolder),
    [hostCalls.logs.verb]: (body) => {
      const { process, count } = parseRequest(hostCalls.logs.request, body);
      return newestRecords(join(options.stateFolder, 'logs'), process, count);
    },
    [hostCalls.leftBehind.verb]: (body) => left(body, join(options.stateFolder, 'worktrees')),
    [hostCalls.redact.verb]: async (body) => ({
      text: options.redactor.text(parseRequest(hostCalls.redact.request, body).text),
    }),
    [hostCalls.look.verb]: (body) => inspector.inspect(parseRequest(hostCalls.look.request, body).agentId),
    [hostCalls.question.verb]: (body) => inspector.question(parseRequest(hostCalls.question.request, body).agentId),
    [hostCalls.watch.verb]: async (body) => {
      const { agentId, cursor } = parseRequest(hostCalls.watch.request, body);
      // Subscribes before the first read, so that no change is missed in between.
      await paneHints.watch(agentId);
      return inspector.glance(agentId, cursor);
    },
    [hostCalls.type.verb]: async (body) => {
      const { inputs, ...asked } = parseRequest(hostCalls.type.request, body);
      await inputDriver.type(asked, inputs);
    },
    [hostCalls.prompt.verb]: async (body) => {
      const { text, ...asked } = parseRequest(hostCalls.prompt.request, body);
      await inputDriver.prompt(asked, text);
    },
    [hostCalls.interrupt.verb]: async (body) => {
      await inputDriver.interrupt(parseRequest(hostCalls.interrupt.request, body));
    },
    [hostCalls.answer.verb]: async (body) => {
      const { agentId, ticket, ...answer } = parseRequest(hostCalls.answer.request, body);
      return inputDriver.answer({ agentId, ticket }, answer);
    },
  };
  const endpoints = Object.entries(answers).map(([verb, handle]) => ({ verb, handle }));
  const description = 'A machine that agents run on';
  return line.serve({ name: 'muster-host', version: '1.0.0', description }, endpoints);
}

type Answers = Readonly<Record<string, (body: unknown) => Promise<unknown>>>;

/** The handlers of requests about trials of setup scripts. */
function trialAnswers(trials: CallsOptions['trials']): Answers {
  return {
    [hostCalls.startTrial.verb]: async (body) => trials.start(parseRequest(hostCalls.startTrial.request, body)),
    [hostCalls.readTrial.verb]: (body) => {
      const { trialId, cursor } = parseRequest(hostCalls.readTrial.request, body);
      return trials.read(trialId, cursor);
    },
    [hostCalls.stopTrial.verb]: async (body) => trials.stop(parseRequest(hostCalls.stopTrial.request, body).trialId),
  };
}

/** The handlers of requests about agents that move. */
function moveAnswers(moves: CallsOptions['moves']): Answers {
  return {
    [hostCalls.checkArrival.verb]: (body) => moves.checkArrival(parseRequest(hostCalls.checkArrival.request, body)),
    [hostCalls.checkDeparture.verb]: (body) =>
      moves.checkDeparture(parseRequest(hostCalls.checkDeparture.request, body)),
    [hostCalls.packRound.verb]: (body) => moves.packRound(parseRequest(hostCalls.packRound.request, body)),
    [hostCalls.dropPackage.verb]: (body) => moves.dropPackage(parseRequest(hostCalls.dropPackage.request, body)),
    [hostCalls.readPackage.verb]: (body) => moves.readPackage(parseRequest(hostCalls.readPackage.request, body)),
  };
}

async function attach(host: Host, terminals: Terminals, body: unknown): Promise<{ family: string; windowId: string }> {
  const { agentId } = parseRequest(hostCalls.attach.request, body);
  const actor = host.actor(agentId);
  const paneId = actor?.context.paneId;
  if (!actor || paneId === undefined) {
    throw new Failure('AGENT_HAS_NO_WINDOW', `agent ${agentId} has no window: restore it first`, {
      metadata: { agentId },
    });
  }
  const { family } = actor.record;
  return { family, windowId: await terminals.windowOf(family, paneId) };
}

async function left(body: unknown, worktrees: string): Promise<z.input<typeof hostCalls.leftBehind.response>> {
  const { path, withChanges } = parseRequest(hostCalls.leftBehind.request, body);
  const found = withChanges ? leftByChanges(path, { worktrees }, leftBehindMs) : leftBehind(path, leftBehindMs);
  return { leftBehind: await found };
}

async function directory(body: unknown, home: string): Promise<z.input<typeof hostCalls.directory.response>> {
  const path = await resolveDirectory(parseRequest(hostCalls.directory.request, body).path);
  const isThere = await isDirectory(path);
  const repository = isThere ? (await findGitDirectory(path))?.commonDir : undefined;
  const repositories = repository === undefined ? [] : await remoteWebUrls(repository);
  const stateFolder = await resolveDirectory(home);
  return { path, isDirectory: isThere, isRepository: repository !== undefined, repository, repositories, stateFolder };
}
