import type { z } from 'zod';
import { reviewAnswers } from '#actors/host/review/review-answers.ts';
import type { ReviewDesk } from '#actors/host/review/review-desk.ts';
import type { LaunchDesk } from '#actors/host/serve/launch-desk.ts';
import type { Typist } from '#actors/host/typing/typist.ts';
import type { Inspector } from '#actors/host/watch/inspector.ts';
import { PaneAudience } from '#actors/host/watch/pane-audience.ts';
import type { Bus, Served } from '#bus/bus.ts';
import type { HostLine } from '#bus/host-line.ts';
import { Failure } from '#contract/failure.ts';
import type { Check } from '#contract/host/check.ts';
import { parseRequest } from '#contract/parse.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { isDirectory, resolveDirectory } from '#world/file/directory.ts';
import { findGitDirectory } from '#world/git/git-directory.ts';
import { remoteWebUrls } from '#world/git/push-address.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import type { Host } from './host.ts';

export interface CallsOptions {
  readonly bus: Bus;
  readonly line: Pick<HostLine, 'serve'>;
  readonly host: Host;
  readonly terminals: Terminals;
  readonly typist: Typist;
  readonly inspector: Inspector;
  readonly desk: ReviewDesk;
  /** The folder of what is muster's own. */
  readonly stateFolder: string;
  readonly launches: Pick<LaunchDesk, 'list' | 'checks'>;
  /** Looks at what the host needs on its machine. */
  readonly examine: () => Promise<Check[]>;
}

/** Answers what the registry asks of this host. */
export async function serveCalls(options: CallsOptions): Promise<Served> {
  const { bus, line, host, terminals, typist, inspector, desk, launches } = options;
  const audience = new PaneAudience({ actor: (id) => host.actor(id), terminals, bus, clock: systemTimer });
  const answers: Readonly<Record<string, (body: unknown) => Promise<unknown>>> = {
    ...reviewAnswers(desk),
    [hostCalls.examine.verb]: async () => ({
      checks: [...(await options.examine()), ...launches.checks()],
      now: systemTimer.now(),
    }),
    [hostCalls.launches.verb]: (body) => launches.list(parseRequest(hostCalls.launches.request, body).harness),
    [hostCalls.attach.verb]: (body) => attach(host, terminals, body),
    [hostCalls.directory.verb]: (body) => directory(body, options.stateFolder),
    [hostCalls.look.verb]: (body) => inspector.look(parseRequest(hostCalls.look.request, body).agentId),
    [hostCalls.watch.verb]: async (body) => {
      const { agentId, cursor } = parseRequest(hostCalls.watch.request, body);
      // Heard before it is looked at, so that nothing falls between the two.
      await audience.attend(agentId);
      return inspector.glance(agentId, cursor);
    },
    [hostCalls.type.verb]: async (body) => {
      const { inputs, ...asked } = parseRequest(hostCalls.type.request, body);
      await typist.type(asked, inputs);
    },
    [hostCalls.prompt.verb]: async (body) => {
      const { text, ...asked } = parseRequest(hostCalls.prompt.request, body);
      await typist.prompt(asked, text);
    },
    [hostCalls.interrupt.verb]: async (body) => {
      await typist.interrupt(parseRequest(hostCalls.interrupt.request, body));
    },
    [hostCalls.answer.verb]: async (body) => {
      const { screenDigest, keys, ...asked } = parseRequest(hostCalls.answer.request, body);
      await typist.answer(asked, screenDigest, keys);
    },
  };
  const endpoints = Object.entries(answers).map(([verb, handle]) => ({ verb, handle }));
  const description = 'One machine that agents run on';
  const served = await line.serve({ name: 'muster-host', version: '1.0.0', description }, endpoints);
  return {
    ...served,
    async stop() {
      audience.stop();
      await served.stop();
    },
  };
}

async function attach(host: Host, terminals: Terminals, body: unknown): Promise<{ family: string; windowId: string }> {
  const { agentId } = parseRequest(hostCalls.attach.request, body);
  const actor = host.actor(agentId);
  const paneId = actor?.context.paneId;
  if (!actor || paneId === undefined) {
    throw new Failure('failed_precondition', `agent ${agentId} has no window: restore it first`);
  }
  const { family } = actor.record;
  return { family, windowId: await terminals.windowOf(family, paneId) };
}

async function directory(body: unknown, home: string): Promise<z.input<typeof hostCalls.directory.response>> {
  const path = await resolveDirectory(parseRequest(hostCalls.directory.request, body).path);
  const isThere = await isDirectory(path);
  const repository = isThere ? (await findGitDirectory(path))?.commonDir : undefined;
  const repositories = repository === undefined ? [] : await remoteWebUrls(repository);
  const stateFolder = await resolveDirectory(home);
  return { path, isDirectory: isThere, isRepository: repository !== undefined, repository, repositories, stateFolder };
}
