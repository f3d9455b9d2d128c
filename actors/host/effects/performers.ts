import type { Performers } from '#actors/host/agent/performer.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import type { Isolation } from '#actors/host/isolation/isolation.ts';
import type { ObservePane } from '#actors/host/reading/observation.ts';
import type { HostProfiles } from '#actors/host/secret/host-profiles.ts';
import type { Redactor } from '#actors/host/secret/redactor.ts';
import type { InputDriver } from '#actors/host/typing/input-driver.ts';
import { lookAgain } from '#actors/host/typing/look-again.ts';
import { resumeWork } from '#actors/host/typing/resume-work.ts';
import type { Log } from '#contract/process-context.ts';
import type { MachineTimer } from '#world/concurrency/timer.ts';
import type { PackageFolder } from '#world/file/package/package-folder.ts';
import type { PortBlocks } from '#world/net/port-blocks.ts';
import { closePane } from './close-pane.ts';
import { deliverBriefing } from './deliver-briefing.ts';
import { inspectWorktree } from './inspect-worktree.ts';
import { type OpenWindowOptions, openWindow } from './open-window.ts';
import { dropPackage, packWork } from './pack-work.ts';
import { provisionWorktree } from './provision-worktree.ts';
import { readVersion } from './read-version.ts';
import { removeWorktree } from './remove-worktree.ts';
import { renameWindow } from './rename-window.ts';
import { runOnIdle, runOnWaiting, runSetup, runTeardown } from './run-scripts.ts';
import { stopTurn } from './stop-turn.ts';
import { unpackWork } from './unpack-work.ts';

/** The dependencies of the performers. */
export interface Tools extends OpenWindowOptions {
  readonly isolation: Pick<Isolation, 'around' | 'exceeded'>;
  readonly profiles: HostProfiles;
  readonly redactor: Redactor;
  readonly ports: PortBlocks;
  readonly packages: PackageFolder;
  /** The folder of repositories that this host makes for agents that moved here. */
  readonly repositories: string;
  /** The private folders of isolated agents. */
  readonly sandboxes: string;
  readonly observePane: ObservePane;
  readonly registry: Pick<RegistryClient, 'token' | 'run' | 'load' | 'piece'>;
  readonly inputDriver: InputDriver;
  readonly clock: MachineTimer;
  readonly log: Log;
}

/** One performer for each effect of the agent's machine. */
export function performersOf(tools: Tools): Performers {
  const { terminals, worktrees, inputDriver } = tools;
  return {
    provisionWorktree: provisionWorktree(worktrees),
    runSetup: runSetup(tools),
    openWindow: openWindow(tools),
    readVersion: readVersion(tools),
    deliverBriefing: deliverBriefing(tools),
    renameWindow: renameWindow(terminals),
    inspectWorktree: inspectWorktree(worktrees),
    closePane: closePane(terminals),
    runTeardown: runTeardown(tools),
    removeWorktree: removeWorktree(worktrees),
    stopTurn: stopTurn(inputDriver),
    resumeWork: resumeWork(inputDriver),
    lookAgain: lookAgain(inputDriver),
    runOnIdle: runOnIdle(tools),
    runOnWaiting: runOnWaiting(tools),
    packWork: packWork(tools),
    unpackWork: unpackWork(tools),
    dropPackage: dropPackage(tools.packages),
  };
}
