import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

/** The form of a host's id. Hosts choose their names, and no name may look like an id. */
const idForm = /^hst_[0-9A-Za-z]+$/;

/** Invisible characters, which could make two names look alike, or a name look like a line of muster's output. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

type HostIdentity = Pick<StoredHost, 'id' | 'name'>;

/**
 * The hosts that `nameOrId` names. An id matches only its host, whatever names other hosts chose. A name matches every
 * host that has it.
 */
export function matchingHosts<H extends HostIdentity>(all: readonly H[], nameOrId: string): readonly H[] {
  const found = all.filter(({ id }) => id === nameOrId);
  return found.length > 0 || idForm.test(nameOrId) ? found : all.filter(({ name }) => name === nameOrId);
}

/** The only host that `nameOrId` names; undefined if there is none, or if several hosts have the name. */
export function uniqueHost<H extends HostIdentity>(all: readonly H[], nameOrId: string): H | undefined {
  const [host, ...others] = matchingHosts(all, nameOrId);
  return others.length === 0 ? host : undefined;
}

/**
 * The host that `nameOrId` names. @throws NOT_FOUND when there is none; FAILED_PRECONDITION when several have the name
 */
export function requireHost<H extends HostIdentity>(all: readonly H[], nameOrId: string): H {
  const meant = matchingHosts(all, nameOrId);
  const [host, ...others] = meant;
  if (host === undefined) {
    throw new Failure('HOST_NOT_FOUND', `There is no host ${quoted(nameOrId)}: list_hosts lists them`, {
      metadata: { host: nameOrId },
    });
  }
  if (others.length === 0) return host;
  const ids = meant.map(({ id }) => id).join(', ');
  throw new Failure('HOST_AMBIGUOUS', `Several hosts are called ${quoted(nameOrId)}: name one of ${ids}`);
}

/** @throws INVALID_ARGUMENT when a host's name is blank, has an invisible character, or looks like an id */
export function checkHostName(all: readonly HostIdentity[], name: string): void {
  if (name.trim() === '')
    throw new Failure('INVALID_FIELD', 'name is blank: give the machine a name', { field: 'name' });
  if (unseen.test(name)) {
    throw new Failure(
      'INVALID_FIELD',
      `name is ${quoted(name)}, with an invisible character: give the machine another name, and start \`muster host\` again`,
      { field: 'name' },
    );
  }
  if (!idForm.test(name) && all.every(({ id }) => id !== name)) return;
  throw new Failure(
    'INVALID_FIELD',
    `name is ${quoted(name)}, which looks like the id of a host: give the machine another name, and start \`muster host\` again`,
    { field: 'name' },
  );
}
