import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { openLog } from '#world/log.ts';
import { chooseTerminal } from '#world/terminal-choice.ts';
import { embeddedNotice } from '#world/terminals.ts';
import { findExecutable } from '#world/tmux/executable.ts';
import { entranceText } from './greeting/entrance-text.ts';
import { askDefaultAgent, greeting, operatorClient } from './greeting/greeting.ts';
import { joinedGreeting } from './greeting/joined-greeting.ts';
import { reportLostWindows } from './greeting/lost-windows.ts';
import { readJoined } from './join/joined-state.ts';
import { noteUnhandled } from './process.ts';
import { type Installation, type MemberProgram, startInstallation } from './start.ts';
import { musterProgram, prepareStateFolder } from './state-folder.ts';
import { undoInterruptedUpgrade } from './upgrade/interrupted-upgrade.ts';
import { giveWay, isUpgradePrepared, tellStarter } from './upgrade/start-handover.ts';

/** How long after a start lost windows are reported, in milliseconds. By then the host has checked every terminal. */
const reportMs = 60_000;

/**
 * `muster start`: starts everything, prints the address and what to try next, and runs until Ctrl-C, SIGTERM or SIGHUP.
 * Returns the exit status: 0 after a requested stop, 1 after an uncaught exception.
 * @param programOf what each member runs; by default muster's own program
 */
export async function runStart(config: Config, programOf?: MemberProgram): Promise<number> {
  const { promise: ended, resolve: end } = Promise.withResolvers<number | 'upgrade'>();
  const cancel = new AbortController();
  // It runs on if the reader of its output leaves, as in `muster start | head`.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      end(0);
      cancel.abort();
    });
  }
  process.on('SIGUSR2', () => {
    if (!isUpgradePrepared(config.home)) return;
    end('upgrade');
    cancel.abort();
  });
  // A process that tries this version has ended.
  process.on('disconnect', () => {
    end(0);
    cancel.abort();
  });
  // The channel to that process must not keep this one running.
  process.channel?.unref();
  try {
    const { logs } = prepareStateFolder(config.home);
    if (!process.connected) undoInterruptedUpgrade(config.home, ['start']);
    const log = openLog({ name: 'start', level: config.logLevel, folder: logs });
    noteUnhandled(log, logs, 'start', () => {
      // The caller may not be waiting for the result.
      process.exitCode = 1;
      end(1);
      cancel.abort();
    });
    const options = { config, environment: process.env, log, cancel: cancel.signal, programOf };
    const choice = await chooseTerminal(config.terminal);
    const embedded = choice.kind === 'embedded' ? embeddedNotice(choice) : undefined;
    const { url, entrance, refusal, removed, stop } = await startInstallation(options);
    const joined = readJoined(config.home);
    const reporting = new AbortController();
    if (joined === undefined) await greet(config, { url, embedded, entrance }, reporting.signal);
    else process.stdout.write(joinedGreeting({ joined, url, embedded, refusal, home: config.home }));
    tellStarter({ type: 'ready' });
    const status = await Promise.race([ended, removed]);
    reporting.abort();
    await stop();
    if (status instanceof Failure) throw status;
    return status === 'upgrade' ? giveWay(config.home, url) : status;
  } catch (error) {
    if (cancel.signal.aborted) return statusOf(config.home, await ended);
    tellStarter({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

/** The exit status of a start that was ended before it was ready. */
function statusOf(home: string, ended: number | 'upgrade'): number {
  return ended === 'upgrade' ? giveWay(home, undefined) : ended;
}

/** Greets the person of an installation, and reports lost windows later. */
async function greet(
  { home }: Config,
  { url, embedded, entrance }: Pick<Installation, 'url' | 'entrance'> & { readonly embedded: string | undefined },
  stopped: AbortSignal,
): Promise<void> {
  const runs = await askDefaultAgent(home, url);
  const muster = commandName();
  process.stdout.write(greeting({ url, muster, runs, embedded, entrance: entrance && entranceText(entrance, muster) }));
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(reportMs)]);
  const client = operatorClient(home, url);
  void reportLostWindows({ client, signal, muster, write: (text) => process.stdout.write(text) });
}

/** How a person types this installation's command: `muster` if it is on the PATH, else the shortest path. */
function commandName(): string {
  const found = findExecutable('muster');
  if (found !== undefined && realpathSync(found) === musterProgram) return 'muster';
  const near = relative(process.cwd(), musterProgram);
  return near.startsWith('..') ? musterProgram : near;
}
