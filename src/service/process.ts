import { setTimeout as delay } from 'node:timers/promises';
import { exitCodeOf } from '#cli/client/exit-code.ts';
import type { BusUser } from '#contract/access/bus-member.ts';
import { Failure } from '#contract/failure.ts';
import type { Config, Log, ProcessContext } from '#contract/process-context.ts';
import { version } from '#gateway/http/version.ts';
import { openLog } from '#world/log.ts';
import { tracingSettingOf } from '#world/net/tracing-setting.ts';
import { ProcessGauge } from '#world/process/process-figures.ts';
import { unhandledErrors } from '#world/unhandled-errors.ts';
import { scheduledBackups } from './backup/scheduled.ts';
import { requireFinishedRestore } from './backup/unfinished.ts';
import { busAdmission } from './bus/bus-admission.ts';
import { busAccess } from './bus/bus-credentials.ts';
import { ownInstallation } from './installation-file.ts';
import { ownCertificates } from './join/own-certificates.ts';
import { takeOwnerLock } from './owner-lock.ts';
import { prepareStateFolder } from './state-folder.ts';

/** How long all steps of a stop may take together, in milliseconds. */
const stopWithin = 8_000;

/** The own part of a process: sets up its work, calls `context.ready()`, and adds the steps of a stop. */
export type Run = (context: ProcessContext) => Promise<void>;

/** The processes that run once per state folder: the registry owns the database, the host the terminals. */
const alone: readonly BusUser[] = ['registry', 'host'];

/**
 * Runs a long-running process of muster until SIGTERM, SIGINT or the end of its parent, then runs the steps of the stop
 * in reverse order and exits with 0. A refused start exits with the status of its failure, as a command does; an
 * uncaught exception is logged and exits with 1.
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
      ...(await busAccess(config, name)),
      admission: name === 'registry' ? busAdmission(config) : undefined,
      certificates: name === 'host' ? ownCertificates(config.home) : undefined,
      backups: scheduledBackups(config, process.env),
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
    // A failure that a person can fix is logged without its stack.
    log.fatal({ err: error instanceof Failure ? error.toJSON() : error }, `${name} cannot start`);
    await stop(error instanceof Failure ? exitCodeOf(error.code) : 1);
  }
}

/** The tracer, if OpenTelemetry's own variables set an endpoint; else its library is not even loaded. */
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
  // The parent may have ended before the listener was added. Without a parent of muster's own this is undefined.
  if (process.connected === false) stopAlone();
}

/**
 * Records unhandled errors. An unhandled rejection has failed only one piece of work, so the process continues, because
 * a host may have a hundred others. An uncaught exception has left something half done, so it ends the process, which
 * is then restarted.
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

function reportReady(log: Log, details: { readonly url?: string; readonly refusal?: string } = {}): void {
  log.info(details, 'ready');
  if (process.connected) process.send?.({ type: 'ready', ...details });
}

interface Stopper {
  (status: number): Promise<void>;
  readonly add: ProcessContext['onStop'];
  /** Whether a stop was requested. A start that it interrupts has not failed. */
  readonly hasBegun: () => boolean;
}

/** Stops once, however often it is requested, and ends the process even if a step hangs or fails. */
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
