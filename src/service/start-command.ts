import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import type { Config } from '#contract/process-context.ts';
import { openLog } from '#world/log.ts';
import { chooseTerminal } from '#world/terminal-choice.ts';
import { embeddedNotice } from '#world/terminals.ts';
import { findExecutable } from '#world/tmux/executable.ts';
import { greeting, heardDefaultAgent, operatorClient } from './greeting/greeting.ts';
import { reportLostWindows } from './greeting/lost-windows.ts';
import { noteUnhandled } from './process.ts';
import { type MemberProgram, startInstallation } from './start.ts';
import { musterProgram, prepareStateFolder } from './state-folder.ts';

/** For so long after a start lost windows are reported, in milliseconds: its host has asked every terminal by then. */
const reportMs = 60_000;

/**
 * `muster start`: starts everything, says where it is reached and what to try next, and runs until Ctrl-C, SIGTERM or
 * SIGHUP. Returns the exit status: 0 after a stop that was asked for, 1 after an exception that nobody caught.
 * @param programOf what each member runs; muster's own if it is left out.
 */
export async function runStart(config: Config, programOf?: MemberProgram): Promise<number> {
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  const cancel = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      end(0);
      cancel.abort();
    });
  }
  try {
    const { logs } = prepareStateFolder(config.home);
    const log = openLog({ name: 'start', level: config.logLevel, folder: logs });
    noteUnhandled(log, logs, 'start', () => {
      // Whoever started it may not have come to wait for its end.
      process.exitCode = 1;
      end(1);
      cancel.abort();
    });
    const options = { config, environment: process.env, log, cancel: cancel.signal, programOf };
    const choice = await chooseTerminal(config.terminal);
    const embedded = choice.kind === 'embedded' ? embeddedNotice(choice) : undefined;
    const { url, stop } = await startInstallation(options);
    const runs = await heardDefaultAgent(config.home, url);
    process.stdout.write(greeting({ url, muster: commandName(), runs, embedded }));
    const reporting = new AbortController();
    const signal = AbortSignal.any([reporting.signal, AbortSignal.timeout(reportMs)]);
    const client = operatorClient(config.home, url);
    void reportLostWindows({ client, signal, muster: commandName(), write: (text) => process.stdout.write(text) });
    const status = await ended;
    reporting.abort();
    await stop();
    return status;
  } catch (error) {
    if (cancel.signal.aborted) return ended;
    throw error;
  }
}

/** What a person types to run this installation's command: `muster` if the PATH finds it, else the shortest path. */
function commandName(): string {
  const found = findExecutable('muster');
  if (found !== undefined && realpathSync(found) === musterProgram) return 'muster';
  const near = relative(process.cwd(), musterProgram);
  return near.startsWith('..') ? musterProgram : near;
}
