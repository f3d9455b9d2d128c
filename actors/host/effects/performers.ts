import type { Performers } from '#actors/host/agent/performer.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import type { Look } from '#actors/host/reading/sight.ts';
import type { Typist } from '#actors/host/typing/typist.ts';
import type { Log } from '#contract/process-context.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { MachineTimer } from '#world/concurrency/timer.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import { closePane } from './close-pane.ts';
import { deliverBriefing } from './deliver-briefing.ts';
import { inspectWorktree } from './inspect-worktree.ts';
import { openWindow } from './open-window.ts';
import { provisionWorktree } from './provision-worktree.ts';
import { removeWorktree } from './remove-worktree.ts';
import { renameWindow } from './rename-window.ts';
import { runOnIdle, runOnWaiting, runSetup, runTeardown } from './run-scripts.ts';
import { stopTurn } from './stop-turn.ts';

/** What the effects are performed with. */
export interface Tools {
  readonly terminals: Terminals;
  readonly harnesses: Harnesses;
  readonly look: Look;
  /** The person's environment, of which agents and scripts are given a part. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of variables that the person has every agent given. */
  readonly variables: readonly string[];
  /** The PATH that CLIs are looked for on. */
  readonly programs: string;
  /** The folder that holds the worktrees. */
  readonly worktrees: string;
  /** The folder that holds settings files for CLIs. */
  readonly settings: string;
  readonly baseUrl: string;
  readonly registry: Pick<RegistryClient, 'token' | 'run' | 'load'>;
  readonly typist: Typist;
  readonly clock: MachineTimer;
  readonly log: Log;
}

/** One performer for each effect of the agent's machine. */
export function performersOf(tools: Tools): Performers {
  const { terminals, worktrees, typist } = tools;
  return {
    provisionWorktree: provisionWorktree(worktrees),
    runSetup: runSetup(tools),
    openWindow: openWindow(tools),
    deliverBriefing: deliverBriefing(tools),
    renameWindow: renameWindow(terminals),
    inspectWorktree: inspectWorktree(worktrees),
    closePane: closePane(terminals),
    runTeardown: runTeardown(tools),
    removeWorktree: removeWorktree(worktrees),
    stopTurn: stopTurn(typist),
    runOnIdle: runOnIdle(tools),
    runOnWaiting: runOnWaiting(tools),
  };
}
