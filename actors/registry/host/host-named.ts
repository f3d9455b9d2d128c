import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

/** What ids of hosts look like. A host gives itself its name, and no name may pass for an id. */
const idForm = /^hst_[0-9A-Za-z]+$/;

/**
 * What is in no name of a machine, and makes one name look like another one or a line of it like a line of muster's.
 */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

type Named = Pick<StoredHost, 'id' | 'name'>;

/**
 * The hosts that are meant, of all that ever came: by an id that host alone, whatever others call themselves; by a name
 * all that say that it is theirs.
 */
export function hostsMeant<H extends Named>(all: readonly H[], said: string): readonly H[] {
  const found = all.filter(({ id }) => id === said);
  return found.length > 0 || idForm.test(said) ? found : all.filter(({ name }) => name === said);
}

/**
 * The host that is meant; undefined if there is none, and where several say that the name is theirs: it is nobody's
 * then.
 */
export function hostMeant<H extends Named>(all: readonly H[], said: string): H | undefined {
  const [host, ...others] = hostsMeant(all, said);
  return others.length === 0 ? host : undefined;
}

/** The host that is meant. @throws NOT_FOUND; FAILED_PRECONDITION when several have the name */
export function hostNamed<H extends Named>(all: readonly H[], said: string): H {
  const meant = hostsMeant(all, said);
  const [host, ...others] = meant;
  if (host === undefined) {
    throw new Failure('HOST_NOT_FOUND', `There is no host ${quoted(said)}: list_hosts lists them`, {
      metadata: { host: said },
    });
  }
  if (others.length === 0) return host;
  const ids = meant.map(({ id }) => id).join(', ');
  throw new Failure('HOST_AMBIGUOUS', `Several hosts are called ${quoted(said)}: name one of ${ids}`);
}

/** Refuses a name that would pass for a host's id, for another one's or for none. @throws INVALID_ARGUMENT */
export function checkHostName(all: readonly Named[], name: string): void {
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
