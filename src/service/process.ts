import { setTimeout as delay } from 'node:timers/promises';
import { exitCodeOf } from '#cli/client/exit-code.ts';
import { Failure } from '#contract/failure.ts';
import type { BusUser, Config, Log, ProcessContext } from '#contract/process-context.ts';
import { version } from '#gateway/http/version.ts';
import { openLog } from '#world/log.ts';
import { tracingSettingOf } from '#world/net/tracing-setting.ts';
import { ProcessGauge } from '#world/process/process-figures.ts';
import { unhandledErrors } from '#world/unhandled-errors.ts';
import { requireFinishedRestore } from './backup/unfinished.ts';
import { busAccess } from './bus-credentials.ts';
import { ownInstallation } from './installation-file.ts';
import { takeOwnerLock } from './owner-lock.ts';
import { prepareStateFolder } from './state-folder.ts';

/** How long the steps of a stop may take together, in milliseconds. */
const stopWithin = 8_000;

/** The part of a process that differs: it sets up its work, calls `context.ready()`, and adds what a stop must undo. */
export type Run = (context: ProcessContext) => Promise<void>;

/** Those of which a state folder bears only one: the registry owns the database, the host the terminals. */
const alone: readonly BusUser[] = ['registry', 'host'];

/**
 * Runs one long-running process of muster until SIGTERM or SIGINT comes or its parent is gone, then takes the steps of
 * the stop in reverse and exits with 0. A start that is refused exits with the status of its failure, as every command
 * does; an unexpected exception is logged and exits with 1.
 */
export async function runProcess(name: BusUser, config: Config, run: Run): Promise<void> {
  requireFinishedRestore(config.home);
  const folder = prepareStateFolder(config.home);
  const log = openLog({ name, level: config.logLevel, folder: folder.logs });
  const stop = stopper(log);
  stopOnSignals(log, stop);
  noteUnhandled(log, folder.logs, name, () => void stop(1));
  try {
    if (alone.includes(name)) stop.add(takeOwnerLock(folder, name).release);
    const tracing = await tracingOf(name, log);
    if (tracing !== undefined) stop.add(tracing.stop);
    const gauge = new ProcessGauge();
    stop.add(() => gauge.stop());
    await run({
      version,
      config,
      log,
      tracer: tracing?.tracer,
      processFigures: () => gauge.read(),
      examine: async () => (await import('./doctor.ts')).examineMachine(config, name),
      ...busAccess(config, name),
      installation: ownInstallation(config.home),
      giveUp: (why) => {
        log.fatal({ err: why.toJSON() }, `${name} cannot continue`);
        void stop(exitCodeOf(why.code));
      },
      ready: (details) => reportReady(log, details),
      onStop: stop.add,
    });
  } catch (error) {
    if (stop.hasBegun() && error instanceof Error && error.name === 'AbortError') return;
    // What a person has to fix is said without the way that the program took to it.
    log.fatal({ err: error instanceof Failure ? error.toJSON() : error }, `${name} cannot start`);
    await stop(error instanceof Failure ? exitCodeOf(error.code) : 1);
  }
}

/**
 * Spans are noted only if OpenTelemetry's own variables say where to send them; else its library is not even loaded.
 */
async function tracingOf(name: BusUser, log: Log) {
  const setting = tracingSettingOf(process.env);
  if (setting.kind === 'refused') log.warn({ reason: setting.why }, 'no traces are sent');
  if (setting.kind !== 'on') return undefined;
  const { openTracing } = await import('#world/net/tracing.ts');
  return openTracing(name, log);
}

function stopOnSignals(log: Log, stop: Stopper): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0));
  const stopAlone = (): void => {
    log.warn('the parent process is gone');
    void stop(0);
  };
  process.on('disconnect', stopAlone);
  // It may have gone before anybody listened; without a parent of muster's own this is undefined.
  if (process.connected === false) stopAlone();
}

/**
 * A promise that was rejected and that nobody holds has failed one piece of work: it is noted, and the others continue,
 * of which a host may have a hundred. An exception that nobody caught has left something half done, and nobody knows
 * what: it is noted, and ends the process, to be started again.
 */
export function noteUnhandled(log: Log, logs: string, name: string, stop: () => void): void {
  unhandledErrors.keep(log, logs, name);
  process.on('unhandledRejection', (error) => unhandledErrors.note(error, 'unhandledRejection'));
  process.on('uncaughtException', (error) => {
    unhandledErrors.note(error, 'uncaughtException');
    log.fatal({ err: error }, 'an uncaught exception ends this process');
    stop();
  });
}

function reportReady(log: Log, details: { readonly url?: string } = {}): void {
  log.info(details, 'ready');
  if (process.connected) process.send?.({ type: 'ready', ...details });
}

interface Stopper {
  (status: number): Promise<void>;
  readonly add: ProcessContext['onStop'];
  /** Whether it was asked for: a start that it cuts off has not failed. */
  readonly hasBegun: () => boolean;
}

/** A stop that is taken once, however often it is asked for, and ends the process also if a step hangs or fails. */
function stopper(log: Log): Stopper {
  const steps: (() => void | Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;
  const takeSteps = async (): Promise<void> => {
    for (const step of steps.toReversed()) {
      try {
        await step();
      } catch (error) {
        log.error({ err: error }, 'a step of stopping failed');
      }
    }
  };
  const stop = async (status: number): Promise<void> => {
    const late = delay(stopWithin, 'late' as const, { ref: false });
    if ((await Promise.race([takeSteps(), late])) === 'late') log.error('stopping took too long and was cut short');
    log.info('stopped');
    process.exit(status);
  };
  return Object.assign((status: number) => (stopping ??= stop(status)), {
    add: (step: () => void | Promise<void>) => void steps.push(step),
    hasBegun: () => stopping !== undefined,
  });
}
