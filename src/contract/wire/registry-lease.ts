import { z } from 'zod';
import { Failure } from '#contract/failure.ts';

/** The registry that answers on a bus: of which installation it is, and where it runs. */
export const RegistryHolder = z.object({
  /** Identifies the installation: created with its database. */
  installation: z.string(),
  /** This very process, however often its machine reuses process ids. */
  instance: z.string(),
  machine: z.string(),
  pid: z.int(),
  stateFolder: z.string(),
  /** When it took its place, in RFC 3339. */
  since: z.string(),
});
export type RegistryHolder = z.infer<typeof RegistryHolder>;

/** Where a registry runs, in words. */
function placeOf({ installation, machine, pid, stateFolder, since }: RegistryHolder): string {
  return `process ${pid} on ${machine}, of the state folder ${stateFolder} (installation ${installation}), since ${since}`;
}

/** Says that another registry answers on the bus, and what to do. */
export function busTaken(other: RegistryHolder, own: Pick<RegistryHolder, 'installation' | 'stateFolder'>): Failure {
  const whose =
    other.installation === own.installation
      ? 'It has a copy of this database'
      : `It is not of this installation (${own.installation}, ${own.stateFolder})`;
  return new Failure(
    'BUS_TAKEN',
    `Another registry answers on this bus: ${placeOf(other)}. ${whose}, and calls would reach one or the other at random. ` +
      `End it (\`kill ${other.pid}\` on ${other.machine}) where it is left over, or give each installation a bus of its own (MUSTER_BUS_URL).`,
  );
}

/** Says that another registry of the same database is on another bus, and what to do. */
export function busDivided(other: RegistryHolder, own: RegistryHolder): Failure {
  return new Failure(
    'BUS_DIVIDED',
    `Another registry of this database is alive and not on this bus: ${placeOf(other)}. This one is ${placeOf(own)}. ` +
      'Registries of one database must share one bus: give both the same MUSTER_BUS_URL, or connect the servers to one cluster.',
  );
}

/** What is refused because who asks belongs to another installation. */
export const otherInstallationReason = 'OTHER_INSTALLATION';

/** Says that whoever asks is set up for another installation than the registry that answers, and what to do. */
export function otherInstallation(who: string, theirs: string, holder: RegistryHolder): Failure {
  return new Failure(
    'OTHER_INSTALLATION',
    `This ${who} is set up for the installation ${theirs}, and the registry on this bus is another one’s: ${placeOf(holder)}. ` +
      'Give it the bus of its own (MUSTER_BUS_URL), or end that registry where it is left over. To move it to this installation, ' +
      'stop it, remove installation.id from its MUSTER_HOME, and start it again.',
  );
}
