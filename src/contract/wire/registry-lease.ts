import { z } from 'zod';
import { Failure } from '#contract/failure.ts';

/** The registry that answers on a bus: its installation, and where it runs. */
export const RegistryHolder = z.object({
  /** Identifies the installation: created with its database. */
  installation: z.string(),
  /** Identifies this process, even if its computer reuses process ids. */
  instance: z.string(),
  machine: z.string(),
  pid: z.int(),
  stateFolder: z.string(),
  /** Since when it has answered, in RFC 3339. */
  since: z.string(),
});
export type RegistryHolder = z.infer<typeof RegistryHolder>;

/** What the probe of a registry reads of its answer to a ping of the services protocol. */
export const PingedRegistry = z.object({ metadata: RegistryHolder.pick({ machine: true, stateFolder: true }) });

/** Where a registry runs, in words. */
function placeOf({ installation, machine, pid, stateFolder, since }: RegistryHolder): string {
  return `process ${pid} on ${machine}, of the state folder ${stateFolder} (installation ${installation}), since ${since}`;
}

/** The failure for a bus on which another registry answers. */
export function busTaken(other: RegistryHolder, own: Pick<RegistryHolder, 'installation' | 'stateFolder'>): Failure {
  const whose =
    other.installation === own.installation
      ? 'It has a copy of this database'
      : `It belongs to another installation than this one (${own.installation}, ${own.stateFolder})`;
  return new Failure(
    'BUS_TAKEN',
    `Another registry answers on this bus: ${placeOf(other)}. ${whose}, and calls would reach one or the other at random. ` +
      `End it (\`kill ${other.pid}\` on ${other.machine}) if it is left over, or give each installation its own bus (MUSTER_BUS_URL).`,
  );
}

/** The failure for two registries of one database on different buses. */
export function busDivided(other: RegistryHolder, own: RegistryHolder): Failure {
  return new Failure(
    'BUS_DIVIDED',
    `Another registry of this database is alive and not on this bus: ${placeOf(other)}. This one is ${placeOf(own)}. ` +
      'Registries of one database must share one bus: give both the same MUSTER_BUS_URL, or connect the servers to one cluster.',
  );
}

/** The failure for a process that belongs to another installation than the registry on its bus. */
export function otherInstallation(who: string, theirs: string, holder: RegistryHolder): Failure {
  return new Failure(
    'OTHER_INSTALLATION',
    `This ${who} belongs to the installation ${theirs}, but the registry on this bus belongs to another one: ${placeOf(holder)}. ` +
      'Give it its own bus (MUSTER_BUS_URL), or end that registry if it is left over. To move it to this installation, ' +
      'stop it, remove installation.id from its MUSTER_HOME, and start it again.',
  );
}
