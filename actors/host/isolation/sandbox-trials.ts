import { randomUUID } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import type { Launch } from '#contract/wire/agent-record.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { realPath } from '#world/isolation/mount.ts';
import { agentEnvironment, withAdditions } from '#world/process/environment.ts';
import { findProgram } from '#world/program/find-program.mjs';
import type { Isolation } from './isolation.ts';

export interface SandboxTrialsOptions {
  readonly isolation: Pick<Isolation, 'around' | 'remove'>;
  readonly harnesses: Pick<Harnesses, 'find'>;
  /** The person's environment, and the names of variables that every agent gets of it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly variables: readonly string[];
  /** The current PATH on which CLIs are looked up. */
  readonly programs: () => string;
}

/** What the agents of a workflow would be launched with. */
export type TriedLaunch = Pick<Launch, 'harness' | 'cwd' | 'environment'>;

/** Tries sandboxes as launches make them: with the environment, the files and the network of the CLI. */
export class SandboxTrials {
  readonly #options: SandboxTrialsOptions;

  constructor(options: SandboxTrialsOptions) {
    this.#options = options;
  }

  /** Why agents of a workflow cannot run in a sandbox here, and what to do about it; undefined if they can. */
  async fault(launch: TriedLaunch): Promise<string | undefined> {
    const { isolation, harnesses, environment, variables, programs } = this.#options;
    const harness = harnesses.find(launch.harness);
    const given = agentEnvironment(environment, [...variables, ...(harness?.variables ?? [])]);
    const env = {
      ...withAdditions({ ...given, ...harness?.env }, environment, launch.environment),
      PATH: given['PATH'] ?? '',
    };
    const program = harness && findProgram(harness.command, programs());
    const cwd = realPath(launch.cwd) ?? launch.cwd;
    const id = `trial-${randomUUID()}`;
    const subject = { id, family: id, worktree: undefined, launch: { ...launch, cwd, isolation: 'sandbox' } } as const;
    try {
      await isolation.around(subject, { cwd, env, programs: program ? [program] : [], isBeside: false });
      return undefined;
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    } finally {
      await isolation.remove({ id });
    }
  }
}
