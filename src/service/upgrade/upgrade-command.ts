import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { takeOwnerLock } from '#service/owner-lock.ts';
import { prepareStateFolder } from '#service/state-folder.ts';
import { readPrivateFile } from '#world/file/private-file.ts';
import { ownFolder } from '#world/process/own-programs.ts';
import { agentsWithWindows, awaitWindows } from './agents-kept.ts';
import { type DriverStep, driverArgv, inProgress } from './driver-program.ts';
import { undoInterruptedUpgrade } from './interrupted-upgrade.ts';
import { hostsOfDatabase, hostsOfService, ownService } from './other-hosts.ts';
import { backUpFirst, makeRoom, ownsDatabase, rehearse, requireFit } from './prepare-upgrade.ts';
import { clearLeftovers, type ProgramFolders } from './program-folders.ts';
import { changesTables, ownFacts, type ReleaseFacts } from './release-facts.ts';
import { requireSeparateUpgrade, runningStart } from './running-start.ts';
import { hostsText, type Skew, skewWith } from './skew.ts';
import { requireUpgradable } from './upgradable.ts';
import { driveUpgrade, exchangeOnly, recoverUpgrade, takeDriverLock } from './upgrade-driver.ts';
import { awaitUpgrade } from './upgrade-outcome.ts';
import { type UpgradeRecord, upgradesIn, writeUpgrade } from './upgrade-record.ts';
import { findTarget, requireNotOlder, stageTarget } from './upgrade-target.ts';

const usage = 'Usage: muster upgrade [--check] [--to VERSION|FILE] [-o json]';

/** The steps that other processes of an upgrade run. */
const steps: Readonly<Record<DriverStep, (home: string) => Promise<number>>> = {
  '--drive': driveUpgrade,
  '--exchange': exchangeOnly,
  '--recover': recoverUpgrade,
};

function isStep(word: string): word is DriverStep {
  return Object.hasOwn(steps, word);
}

interface UpgradeArguments {
  readonly isCheck: boolean;
  readonly to: string | undefined;
  readonly isJson: boolean;
}

/** What an upgrade would do, or has done. */
interface UpgradeReport {
  readonly from: string;
  readonly to: string;
  /** Whether `to` is newer. */
  readonly newer: boolean;
  readonly backup?: string;
  /** Hosts that work with the new version and run an older one, with their versions. */
  readonly upgradeNext?: string;
  /** Whether muster runs. */
  readonly running?: boolean;
  /** Whether a return would put the database back too. */
  readonly changesTables?: boolean;
}

/**
 * `muster upgrade`: replaces this copy of muster by another version, with everything that it runs, and returns to this one if that
 * does not get ready. Returns the exit status.
 * @throws INVALID_USAGE, UPGRADE_NOT_POSSIBLE, DOWNGRADE_REFUSED and UPGRADE_UNFINISHED, when nothing was changed;
 *   UPGRADE_RETURNED when the previous version is back
 */
export async function runUpgrade(args: readonly string[], config: Config): Promise<number> {
  const [first = ''] = args;
  if (first === '--describe') {
    process.stdout.write(`${JSON.stringify(ownFacts())}\n`);
    return 0;
  }
  if (isStep(first)) return steps[first](config.home);
  const { isCheck, to, isJson } = read(args);
  const folders = requireUpgradable(ownFolder);
  const folder = prepareStateFolder(config.home);
  mkdirSync(upgradesIn(config.home), { recursive: true, mode: 0o700 });
  const lock = takeOwnerLock(folder, 'upgrade');
  try {
    undoInterruptedUpgrade(config.home, ['upgrade', ...args]);
    const driver = takeDriverLock(config.home);
    if (driver === undefined) throw inProgress();
    const plan = await planUpgrade(config, folders, to);
    const report = isCheck || !plan.newer ? plan.report : await upgrade(config, folders, plan, () => driver.release());
    driver.release();
    if (isCheck || !plan.newer) clearLeftovers(folders);
    process.stdout.write(isJson ? `${JSON.stringify(report)}\n` : textOf(report, isCheck));
    return 0;
  } finally {
    lock.release();
  }
}

interface UpgradePlan {
  readonly newer: boolean;
  readonly report: UpgradeReport;
  readonly facts: ReleaseFacts;
  /** The `muster start` that runs. */
  readonly pid: number | undefined;
}

/** Installs the wanted version beside this one, and checks whether it fits. Nothing else is changed. */
async function planUpgrade(config: Config, folders: ProgramFolders, to: string | undefined): Promise<UpgradePlan> {
  const { version: from } = ownFacts();
  requireSeparateUpgrade(config.home);
  const pid = runningStart(config.home);
  const target = await findTarget(to, folders.prefix);
  if ('version' in target) requireNotOlder(target.version, from, upgradesIn(config.home));
  if ('version' in target && target.version === from)
    return { newer: false, report: { from, to: from, newer: false }, facts: ownFacts(), pid };
  const facts = await stageTarget(target, folders);
  try {
    requireNotOlder(facts.version, from, upgradesIn(config.home));
    const skew = await skewOf(config, facts, pid !== undefined);
    requireFit(config, facts, skew);
    const newer = facts.version !== from;
    const report: UpgradeReport = {
      from,
      to: facts.version,
      newer,
      running: pid !== undefined,
      changesTables: changesTables(facts),
      ...(skew.behind.length > 0 && { upgradeNext: hostsText(skew.behind) }),
    };
    return { newer, report, facts, pid };
  } catch (error) {
    clearLeftovers(folders);
    throw error;
  }
}

async function skewOf(config: Config, facts: ReleaseFacts, isRunning: boolean): Promise<Skew> {
  if (!ownsDatabase(config)) return skewWith([], facts);
  const ownId = readPrivateFile(join(config.home, 'host.id'))?.trim();
  const hosts = isRunning ? await hostsOfService(ownService(config), ownId) : await hostsOfDatabase(config, ownId);
  return skewWith(hosts, facts);
}

/** Backs up, has the new version read a copy, and exchanges the programs. */
async function upgrade(
  config: Config,
  folders: ProgramFolders,
  { report, facts, pid }: UpgradePlan,
  begin: () => void,
): Promise<UpgradeReport> {
  const { home } = config;
  const { from, to } = report;
  const now = new Date();
  let record: UpgradeRecord;
  try {
    const isOwner = ownsDatabase(config);
    const backup = isOwner ? await backUpFirst(config, to, now) : undefined;
    if (backup !== undefined) await rehearse(config, folders, backup);
    makeRoom(home, folders);
    record = {
      phase: 'prepared',
      from,
      to,
      startedAt: now.toISOString(),
      folder: folders.current,
      prefix: folders.prefix,
      ...(backup !== undefined && { backup }),
      changesTables: isOwner && changesTables(facts),
    };
    writeUpgrade(home, record);
  } catch (error) {
    clearLeftovers(folders);
    throw error;
  }
  const agents = pid === undefined ? [] : await agentsWithWindows(ownService(config));
  begin();
  if (pid === undefined) exchangeHere(record);
  else process.kill(pid, 'SIGUSR2');
  await awaitUpgrade(home, record);
  if (pid !== undefined) await awaitWindows(ownService(config), agents);
  return { ...report, ...(record.backup !== undefined && { backup: record.backup }) };
}

/** Exchanges the programs while nothing runs. The copy of this program does that, because this one moves away. */
function exchangeHere(record: UpgradeRecord): void {
  const [program, ...args] = driverArgv(record, '--exchange');
  spawnSync(program, args, { stdio: 'inherit' });
}

function read(args: readonly string[]): UpgradeArguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        check: { type: 'boolean', default: false },
        to: { type: 'string' },
        output: { type: 'string', short: 'o', default: 'text' },
      },
      allowPositionals: false,
    });
    const { check, to, output } = values;
    if (output !== 'json' && output !== 'text') throw new Error(`-o is ${JSON.stringify(output)}`);
    if (to === '') throw new Error('--to is empty');
    return { isCheck: check, to, isJson: output === 'json' };
  } catch (error) {
    throw new Failure('INVALID_USAGE', `${error instanceof Error ? error.message : String(error)}. ${usage}`);
  }
}

function textOf(
  { from, to, newer, backup, upgradeNext, running, changesTables }: UpgradeReport,
  isCheck: boolean,
): string {
  if (!newer) return `muster ${from} is the version that was asked for: nothing was changed.\n`;
  const next = upgradeNext === undefined ? '' : `Upgrade these hosts next: ${upgradeNext}.\n`;
  if (isCheck) {
    const tables = changesTables
      ? `${to} changes tables that ${from} needs: a return would put the database back as of the stop.\n`
      : `${from} works with the tables of ${to}.\n`;
    return `muster ${from} can be upgraded to ${to}. Nothing was changed.\n${tables}${next}`;
  }
  const state = running
    ? `muster ${to} runs, and agents have their windows.`
    : `muster ${to} is installed; it does not run.`;
  const kept = backup === undefined ? '' : ` The backup from before is ${backup}.`;
  return `${state}${kept}\n${next}`;
}
