import { checkHostName } from '#actors/registry/host/host-name.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { Tables } from '#store/tables.ts';
import { isOpen } from './invitation-resource.ts';

/** Where a name must be free, and the invitation that may use it. */
interface NameCheck {
  readonly now: number;
  /** The id of the invitation that assigns the name. */
  readonly invitationId?: string;
}

/**
 * Checks that a joining host may have a name.
 * @throws INVALID_FIELD when a host cannot have it; HOST_NAME_TAKEN when a host or an open invitation has it
 */
export async function requireFreeName(tables: Tables, name: string, { now, invitationId }: NameCheck): Promise<void> {
  const hosts = await tables.hosts.all();
  checkHostName(hosts, name);
  const joined = (await tables.joinedHosts.all()).filter(({ removedAt }) => removedAt == null);
  const invited = (await tables.hostInvitations.all()).filter((one) => one.id !== invitationId && isOpen(one, now));
  const taken = (what: string, mend: string) =>
    new Failure('HOST_NAME_TAKEN', `${what} is called ${quoted(name)}: ${mend}`, { field: 'name' });
  if ([...hosts, ...joined].some((one) => one.name === name)) {
    throw taken('A host', 'invite the machine with another `--name`, or remove that host first');
  }
  if (invited.some((one) => one.name === name)) {
    throw taken('The host of an open invitation', 'withdraw that invitation, or choose another `--name`');
  }
}
