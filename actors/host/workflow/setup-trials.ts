import type { z } from 'zod';
import { setupMs } from '#actors/host/effects/run-scripts.ts';
import { reasonOf, runWorkflowScript, type ScriptHome } from '#actors/host/effects/script.ts';
import type { Isolation } from '#actors/host/isolation/isolation.ts';
import type { HostProfiles } from '#actors/host/secret/host-profiles.ts';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { quoted } from '#contract/quoted.ts';
import type { HostTrial, trialCalls } from '#contract/wire/trial-calls.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import { copyFiles } from '#world/file/copy-files.ts';
import type { ThrowawayWorktrees } from '#world/git/worktree/throwaway-worktrees.ts';
import { SetupTrial } from './setup-trial.ts';
import { TrialReaders } from './trial-readers.ts';

/** How many trials a host runs at once, and how many ended ones it keeps. */
const maxRunning = 4;
const maxKept = 20;
/** How long a read waits for new output, and then for output right after that, in milliseconds. */
const waitMs = 2_000;
const gatherMs = 100;
/** How long a trial runs without a reader, in milliseconds: longer than a restart of the service. */
const defaultPatienceMs = 15_000;

type Order = z.output<typeof trialCalls.startTrial.request>;

export interface SetupTrialsOptions extends ScriptHome {
  readonly isolation: Pick<Isolation, 'around' | 'exceeded' | 'remove'>;
  readonly worktrees: ThrowawayWorktrees;
  readonly profiles: Pick<HostProfiles, 'given' | 'forget'>;
  readonly clock: Timer;
  readonly log: Pick<Log, 'error'>;
  /** How long a script may take, in milliseconds. Default: as long as in a launch. */
  readonly timeoutMs?: number;
  /** How long a trial runs without a reader, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Runs trials of setup scripts, each in a worktree that is removed afterwards. A trial is stopped with the process, and
 * when it has no readers left.
 */
export class SetupTrials {
  readonly #options: SetupTrialsOptions;
  readonly #trials = new Map<string, SetupTrial>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #readers = new Map<string, TrialReaders>();

  constructor(options: SetupTrialsOptions) {
    this.#options = options;
  }

  /** Starts a trial. @throws RESOURCE_EXHAUSTED when too many are running */
  start(order: Order): HostTrial {
    if (this.#running.size >= maxRunning) {
      throw new Failure(
        'TRIAL_LIMIT_REACHED',
        `This host runs ${maxRunning} trials of setup scripts already: wait until one has ended, or stop one`,
      );
    }
    const { clock, log, patienceMs = defaultPatienceMs } = this.#options;
    const trial = new SetupTrial(clock.now());
    const leave = (): void =>
      trial.stop(`was stopped because nobody followed it for ${Math.round(patienceMs / 1000)} s`);
    const readers = new TrialReaders(clock, patienceMs, leave);
    this.#readers.set(order.trialId, readers);
    this.#keep(order.trialId, trial);
    const running = this.#run(order, trial)
      .catch((err: unknown) => {
        log.error({ err, trialId: order.trialId }, 'a trial of a setup script was interrupted');
        return 'it was interrupted: the log of this host shows details (muster logs host)';
      })
      .then((reason) => {
        this.#running.delete(order.trialId);
        this.#readers.delete(order.trialId);
        readers.close();
        this.#options.profiles.forget(order.trialId);
        trial.end(clock.now(), reason);
      });
    this.#running.set(order.trialId, running);
    return trial.shown(0);
  }

  /**
   * A trial with its output after a cursor. Waits a moment for new output.
   * @throws NOT_FOUND when there is no such trial
   */
  async read(trialId: string, cursor: string): Promise<HostTrial> {
    const trial = this.#trial(trialId);
    const offset = placeIn(cursor);
    const look = () => this.#readNews(trial, offset);
    return (await this.#readers.get(trialId)?.during(look)) ?? trial.shown(offset);
  }

  async #readNews(trial: SetupTrial, offset: number): Promise<HostTrial> {
    const { clock } = this.#options;
    if (!trial.isOver && !trial.hasMore(offset)) {
      const over = new AbortController();
      await Promise.race([trial.change, clock.sleep(waitMs, over.signal).catch(() => undefined)]);
      over.abort();
      if (!trial.isOver && trial.hasMore(offset)) await clock.sleep(gatherMs);
    }
    return trial.shown(offset);
  }

  /** Stops a trial. @throws NOT_FOUND when there is no such trial */
  stop(trialId: string): HostTrial {
    const trial = this.#trial(trialId);
    if (!trial.isOver) trial.stop();
    return trial.shown(0);
  }

  /** Stops all trials. Resolves once their worktrees are removed. */
  async close(): Promise<void> {
    for (const trialId of this.#running.keys()) this.#trials.get(trialId)?.stop();
    await Promise.all(this.#running.values());
  }

  /** Runs a trial. Returns why it failed; empty if it did not. */
  #run(order: Order, trial: SetupTrial): Promise<string> {
    const { worktrees, timeoutMs = setupMs } = this.#options;
    const { trialId: id, cwd, baseBranch: base, copyFiles: patterns, command, name } = order;
    const { signal } = trial;
    const run = (): Promise<string> =>
      worktrees.within({ id, repository: cwd, base, signal }, async ({ path }, { workTree }) => {
        trial.begin(path);
        if (workTree) await copyFiles({ from: workTree, to: path, patterns });
        const env = { ...(await this.#profileOf(order)), MUSTER_AGENT_NAME: name };
        const onOutput = (text: string): void => trial.write(text);
        const subject = { id, family: id, worktree: path, launch: { ...order, cwd: path } };
        const script = { command, cwd: path, env, timeoutMs, signal, onOutput, isBeside: false };
        return runWorkflowScript(this.#options, subject, script).finally(() => this.#options.isolation.remove({ id }));
      });
    return run().catch(reasonOf);
  }

  async #profileOf({ trialId, profile, harness }: Order): Promise<Readonly<Record<string, string>>> {
    if (profile === undefined) return {};
    const { profiles, harnesses } = this.#options;
    const { environment, secrets } = await profiles.given(trialId, profile, harnesses.find(harness));
    return { ...environment, ...secrets };
  }

  #trial(trialId: string): SetupTrial {
    const trial = this.#trials.get(trialId);
    if (trial !== undefined) return trial;
    throw new Failure(
      'TRIAL_NOT_FOUND',
      `This host has no trial ${quoted(trialId)}: it keeps its last ${maxKept}, and none across a restart`,
      { field: 'trialId' },
    );
  }

  #keep(trialId: string, trial: SetupTrial): void {
    this.#trials.set(trialId, trial);
    const ended = [...this.#trials].filter(([, { isOver }]) => isOver);
    for (const [id] of ended.slice(0, Math.max(0, ended.length - maxKept))) this.#trials.delete(id);
  }
}

/** The byte offset of a cursor. @throws INVALID_ARGUMENT when it is not a cursor of a trial */
function placeIn(cursor: string): number {
  if (/^\d{0,15}$/.test(cursor)) return Number(cursor);
  throw new Failure('INVALID_CURSOR', `${quoted(cursor)} is not a cursor of a trial: start without one`, {
    field: 'cursor',
  });
}
