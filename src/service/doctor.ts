import { accessSync, constants, lstatSync, statfsSync } from 'node:fs';
import type { BusUser } from '#contract/access/bus-member.ts';
import { fileFaultOf } from '#contract/file-fault.ts';
import { type Check, well as ok } from '#contract/host/check.ts';
import { byteText } from '#contract/host/load-reading.ts';
import { newerText } from '#contract/pane/harness-version.ts';
import type { Config } from '#contract/process-context.ts';
import type { Harness } from '#machines/harness/definition.ts';
import type { FileStatus, HarnessSet } from '#machines/harness/harness-set.ts';
import { agentEnvironment, programPathOf } from '#world/process/environment.ts';
import { programVersion } from '#world/process/program-version.ts';
import { findProgram as findHarness } from '#world/program/find-program.mjs';
import { findProgram, isAtLeast, probe, type Requirement, requirements } from '#world/requirements.mjs';
import { detectTerminal, embeddedLimits } from '#world/terminal-choice.ts';
import { checkClock, checkOpenFiles, checkTraces, checkUnhandled, checkZones } from './machine-checks.ts';
import { readRules } from './rules.ts';
import { nearestFolder, otherHome, stateFolderAt } from './state-folder.ts';

/** The free space in bytes below which a check warns, and below which it fails. */
const [fewBytes, minBytes] = [1024 ** 3, 100 * 1024 ** 2];

/** The part of muster on a computer: all of it, or one of its processes. */
type Role = 'all' | BusUser;

/** Checks everything that muster, or one of its processes, needs on this computer. Changes nothing. */
export async function examineMachine(config: Config, role: Role): Promise<Check[]> {
  const hasAgents = role === 'all' || role === 'host';
  // A host joins an existing bus, and may be on another computer.
  const programs = requirements.filter(({ program }) => role === 'all' || (hasAgents && program !== 'nats-server'));
  return [
    checkNode(),
    ...(await Promise.all(programs.map((one) => checkProgram(one, config)))),
    ...(hasAgents && process.platform === 'linux' ? [checkSetpriv()] : []),
    checkFolder(config.home),
    checkSpace(config.home),
    checkOpenFiles(),
    checkClock(),
    checkZones(),
    await checkTraces(process.env),
    ...(await checkUnhandled(stateFolderAt(config.home).logs, role === 'all' ? undefined : role)),
    ...(hasAgents ? await checkHarnesses(await readRules(stateFolderAt(config.home).rules), config.home) : []),
  ];
}

function checkNode(): Check {
  const found = `${process.versions.node} at ${process.execPath}`;
  if (isAtLeast(process.versions.node, '24.0.0')) return ok('node', found);
  return { name: 'node', outcome: 'fail', found, mend: 'start muster through bin/muster, which runs its own Node 24' };
}

async function checkProgram(requirement: Requirement, { terminal }: Config): Promise<Check> {
  const { program, min, why } = requirement;
  if (program === 'tmux') return checkTerminal(terminal);
  const { file, version, enough } = await probe(requirement);
  const found = file === undefined ? 'not installed' : `${version ?? 'unknown version'} at ${file}`;
  if (enough) return ok(program, found);
  return { name: program, outcome: 'fail', found, mend: `install ${program} ${min} or newer: it is ${why}` };
}

/** Without tmux, panes are embedded, which works with limits. */
async function checkTerminal(setting: Config['terminal']): Promise<Check> {
  const found = await detectTerminal(setting);
  if (found.kind === 'tmux') return ok('tmux', `${found.version} at ${found.file}`);
  if (found.kind === 'none') return { name: 'tmux', outcome: 'fail', found: found.why, mend: found.mend };
  const mend = `agents run in embedded panes: ${embeddedLimits}; for more, ${found.mend}`;
  return { name: 'tmux', outcome: 'warn', found: found.why, mend };
}

function checkSetpriv(): Check {
  const file = findProgram('setpriv');
  if (file !== undefined) return ok('setpriv', file);
  const mend = 'install util-linux: without setpriv, helper processes may outlive muster when it is killed';
  return { name: 'setpriv', outcome: 'warn', found: 'not installed', mend };
}

function checkFolder(home: string): Check {
  const name = 'state folder';
  const stat = lstatSync(home, { throwIfNoEntry: false });
  if (stat === undefined) return ok(name, `${home} will be created by the first start`);
  const mode = (stat.mode & 0o777).toString(8);
  if (!stat.isDirectory()) {
    return { name, outcome: 'fail', found: `${home} is not a folder`, mend: 'move it away, or set MUSTER_HOME' };
  }
  if (stat.uid !== process.getuid?.()) {
    const mend = `run muster as that user, or set MUSTER_HOME to a folder of yours`;
    return { name, outcome: 'fail', found: `${home} belongs to user ${stat.uid}`, mend };
  }
  const unwritable = faultOfWriting(home);
  if (unwritable !== undefined) return { name, outcome: 'fail', ...unwritable };
  if (mode === '700') return ok(name, `${home}, private`);
  return {
    name,
    outcome: 'warn',
    found: `${home} has mode ${mode}`,
    mend: `chmod 700 ${home}, as each start of muster does`,
  };
}

/** Why a folder is not writable, and what to do; undefined if it is. */
function faultOfWriting(folder: string): Pick<Check, 'found' | 'mend'> | undefined {
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const { what = String(error), mend = 'fix that' } = fileFaultOf(error) ?? {};
    return { found: `${folder} cannot be written: ${what}`, mend: `${mend}, ${otherHome}` };
  }
}

function checkSpace(home: string): Check {
  const name = 'free space';
  const folder = nearestFolder(home);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const found = `${byteText(free)} for ${folder}`;
  if (free >= fewBytes) return ok(name, found);
  const mend = 'make room, or set MUSTER_HOME to a folder on a larger disk';
  return { name, outcome: free < minBytes ? 'fail' : 'warn', found, mend };
}

/** Checks the CLIs, which it searches in the same way as a launch. */
async function checkHarnesses(harnesses: HarnessSet, home: string): Promise<Check[]> {
  const path = programPathOf(process.env['PATH'] ?? '', home);
  const programs = harnesses.all().filter(({ name }) => name !== 'shell');
  const added = new Set(harnesses.files.map(({ harness }) => harness));
  // Only the registry knows whether a person has confirmed a file's launch part, so its program is not run here.
  const launched = new Set(harnesses.files.filter(({ launch }) => launch).map(({ harness }) => harness));
  const looked = programs.map((harness) => ({ harness, file: findHarness(harness.command, path) }));
  const isMissing = ({ harness, file }: HarnessProgram) => file === undefined && !added.has(harness.name);
  const missing = looked.filter(isMissing).map(({ harness }) => harness.name);
  const found = looked.filter((one) => !isMissing(one));
  const checks = await Promise.all(found.map((one) => checkHarness(one, path, !launched.has(one.harness.name))));
  return [...checks, ...checkMissing(missing, found.length), ...harnesses.files.flatMap(checkRules)];
}

/**
 * One line for all supported CLIs that are not installed, because all of them are optional, and a shell always exists.
 */
function checkMissing(missing: readonly string[], found: number): Check[] {
  if (missing.length === 0) return [];
  const names = missing.join(', ');
  if (found > 0) return [ok('other agents', `not on the PATH: ${names}`)];
  const mend = 'install one, or use the harness shell, which needs none';
  return [{ name: 'coding agents', outcome: 'warn', found: `none of ${names} is on the PATH`, mend }];
}

/** A line for each fault of a rules file, or one line if it is valid. */
function checkRules({ harness, path, faults, instead }: FileStatus): Check[] {
  const name = `rules ${harness}`;
  if (faults.length === 0) return [ok(name, path)];
  return faults.map(({ line, reason }) => ({
    name,
    outcome: 'warn',
    found: `${path} line ${line}: ${reason}`,
    mend: `fix the file: ${instead} stays in use until then`,
  }));
}

interface HarnessProgram {
  readonly harness: Harness;
  readonly file: string | undefined;
}

/** How long a CLI may take to print its version, in milliseconds. The caller waits five seconds for the host. */
const versionWithin = 2_000;

async function checkHarness({ harness, file }: HarnessProgram, path: string, mayRun: boolean): Promise<Check> {
  const { name, command, versionArgs: args, recordedWith } = harness;
  if (file === undefined) {
    return {
      name,
      outcome: 'warn',
      found: `${command} is not on the PATH`,
      mend: `install it for agents that run ${name}`,
    };
  }
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const environment = { ...agentEnvironment(Object.fromEntries(own), harness.variables ?? []), PATH: path };
  const version =
    mayRun && args ? await programVersion({ program: file, args, environment }, versionWithin) : undefined;
  const found = version === undefined ? file : `${version} at ${file}`;
  const newer = newerText(version, recordedWith);
  if (newer === '') return ok(name, found);
  const mend =
    'its screens are read more strictly: update muster, or install newer rules with `muster rules update FILE`';
  return { name, outcome: 'warn', found: `${found}; ${newer}`, mend };
}
