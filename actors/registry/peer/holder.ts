import { randomUUID } from 'node:crypto';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';
import { computerName } from '#world/computer-name.ts';

/** This process's identity to other registries. */
export function holderOf(installation: string, stateFolder: string, startedAt = Date.now()): RegistryHolder {
  return {
    installation,
    instance: randomUUID(),
    machine: computerName(),
    pid: process.pid,
    stateFolder,
    since: new Date(startedAt).toISOString(),
  };
}

/** The metadata of a registry in the services protocol. */
export function placeInBrief({ installation, machine, pid, stateFolder }: RegistryHolder) {
  return { installation, machine, pid: String(pid), stateFolder };
}

/** Whether one registry is older than another. Both reach the same result, whatever their clocks show. */
export function isOlder(one: RegistryHolder, other: RegistryHolder): boolean {
  return orderOf(one) < orderOf(other);
}

const orderOf = ({ since, instance }: RegistryHolder): string => `${since} ${instance}`;
