import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

/** Machines of a test on one network: each is a network namespace on a bridge, with an address of its own. */
export interface Machines {
  /** The command line that runs a program on a machine. */
  on(machine: string, argv: readonly string[]): readonly [string, ...string[]];
  addressOf(machine: string): string;
  /** Drops what a machine's TCP port sends to another machine, as a firewall does; returns what lets it through again. */
  block(machine: string, port: number, to: string): () => void;
  close(): void;
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });

/** Whether this machine allows a test to make network namespaces. */
export function mayHaveMachines(): boolean {
  const name = `muster-may-${process.pid}`;
  if (process.platform !== 'linux' || spawnSync('ip', ['netns', 'add', name]).status !== 0) return false;
  const [veth, peer] = [`mm${process.pid}`, `mn${process.pid}`];
  const isAllowed =
    spawnSync('ip', ['-n', name, 'link', 'add', veth, 'type', 'veth', 'peer', 'name', peer]).status === 0 &&
    spawnSync('ip', ['-n', name, 'link', 'add', 'bridge0', 'type', 'bridge']).status === 0;
  ip('netns', 'delete', name);
  return isAllowed;
}

/** Lays a network with these machines. */
export function layMachines(names: readonly string[]): Machines {
  const mark = process.pid.toString(36);
  const [subnet, bridge] = [`10.${randomInt(64, 255)}.${randomInt(255)}`, `mj${mark}`];
  const spaceOf = (machine: string) => `muster-${mark}-${machine}`;
  const addressOf = (machine: string) => `${subnet}.${names.indexOf(machine) + 2}`;
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('link', 'set', bridge, 'up');
  for (const [at, machine] of names.entries()) {
    const [space, veth] = [spaceOf(machine), `mj${mark}-${at}`];
    ip('netns', 'add', space);
    ip('link', 'add', veth, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    ip('link', 'set', veth, 'master', bridge, 'up');
    ip('-n', space, 'address', 'add', `${addressOf(machine)}/24`, 'dev', 'eth0');
    for (const device of ['eth0', 'lo']) ip('-n', space, 'link', 'set', device, 'up');
  }
  return {
    on: (machine, argv) => ['ip', 'netns', 'exec', spaceOf(machine), ...argv],
    addressOf,
    block(machine, port, to) {
      const rule = ['to', addressOf(to), 'ipproto', 'tcp', 'sport', String(port), 'blackhole'];
      ip('-n', spaceOf(machine), 'rule', 'add', ...rule);
      return () => void ip('-n', spaceOf(machine), 'rule', 'delete', ...rule);
    },
    close() {
      for (const machine of names) ip('netns', 'delete', spaceOf(machine));
      ip('link', 'delete', bridge);
    },
  };
}
