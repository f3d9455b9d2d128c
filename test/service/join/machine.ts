import { join } from 'node:path';
import { runProgram } from '#test/cli/command-line.ts';
import { runService, type WholeService } from '#test/cli/whole-service.ts';

/** The state folder of a machine that joins, and settings of its processes. */
export interface Machine {
  readonly home: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Makes the command line of its processes. */
  readonly wrap?: (argv: readonly string[]) => readonly [string, ...string[]];
}

/** The environment of a machine's processes. */
export const settingsOf = ({ home, settings }: Machine) => ({
  MUSTER_HOME: home,
  MUSTER_PORT: '0',
  MUSTER_LOG: 'warn',
  ...settings,
});
/** What a machine prints that is ready as a host, or refused: the address of its gateway is in parentheses. */
const ready = /(?:ready as|refuses this) host.*\n.*reach muster at (\S+)\. /;

/** Has a machine join by the line that `muster host invite` printed, and runs it. */
export function joinBy(line: string, machine: Machine): Promise<WholeService> {
  return runService(line.split(' ').slice(1), settingsOf(machine), ready, machine.wrap);
}

/** Starts a machine that has joined before. */
export function startJoined(machine: Machine): Promise<WholeService> {
  return runService(['start'], settingsOf(machine), ready, machine.wrap);
}

/** What comes of joining that is refused. */
export function tryToJoin(line: string, machine: Machine) {
  return runProgram(line.split(' ').slice(1), { env: settingsOf(machine) });
}

/** The state folder of a machine in a folder of a test. */
export function machineIn(folder: string, name: string): Machine {
  return { home: join(folder, name) };
}
