import { call } from '#cli/client/http.ts';
import { everyPage } from '#cli/client/pages.ts';
import type { Session } from '#cli/client/session.ts';
import { shortName } from '#cli/print/words.ts';
import { type ListedOperation, listedOperations } from '#cli/rpc/listed-operation.ts';

/** A value offered to a shell, and its meaning. */
export interface Candidate {
  readonly value: string;
  readonly about: string;
}

type Row = Readonly<Record<string, unknown>>;

/** The listing of each flag that takes a name. */
const named: Readonly<Record<string, string>> = {
  agent: 'Agent',
  parent: 'Agent',
  workflow: 'Workflow',
  host: 'Host',
};
/** How long completion waits for the service, in milliseconds. */
const within = 1_000;

/**
 * The values of a flag or an argument, from the service's listings: ids for `--agent-id`, names for `--workflow`; none
 * if it does not answer in time. Undefined if there is no listing for it.
 */
export async function candidatesOf(flag: string, session: Session): Promise<readonly Candidate[] | undefined> {
  if (flag === 'harness') return harnesses(session);
  const noun = named[flag];
  const listing = flag === 'run' ? listingAt('ListRunLogs') : noun === undefined ? listingOfIds(flag) : listingOf(noun);
  if (listing === undefined) return undefined;
  const late = new Promise<Row[]>((resolve) => setTimeout(resolve, within, []).unref());
  try {
    const rows = await Promise.race([rowsOf(listing, session), late]);
    if (flag === 'run') return rows.flatMap(runIn);
    return rows.flatMap((row) => candidateIn(row, noun === undefined ? 'id' : 'name'));
  } catch {
    return [];
  }
}

/** The listing for a flag of ids, by the noun at its end: that of agents for `--parent-agent-id`. */
function listingOfIds(flag: string): ListedOperation | undefined {
  const [, name = ''] = /^(.+)-ids?$/.exec(flag) ?? [];
  const words = name.split(/[-.]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return words.map((_, from) => listingOf(words.slice(from).join(''))).find((one) => one !== undefined);
}

/** The harnesses of this computer, which needs no service. */
async function harnesses(session: Session): Promise<Candidate[]> {
  const known = (await session.local()).harnesses();
  return known.map(({ name }) => ({ value: name, about: '' })).filter(({ value }) => isPlain(value));
}

/** A run of a script, by its number. */
function runIn({ id, script, state }: Row): Candidate[] {
  return typeof id === 'number' ? [{ value: String(id), about: [script, state].map(wordIn).join(' ').trim() }] : [];
}

function wordIn(value: unknown): string {
  return typeof value === 'string' ? shortName(value) : '';
}

function listingOf(noun: string): ListedOperation | undefined {
  return listingAt(`List${noun}s`);
}

function listingAt(method: string): ListedOperation | undefined {
  return listedOperations().find(
    ({ path, fields }) => path.endsWith(`/${method}`) && fields.every(({ required }) => !required),
  );
}

function rowsOf({ path, fields }: ListedOperation, session: Session): Promise<Row[]> {
  const connection = session.connection();
  const inPages = fields.some((field) => field.path.join() === 'pagination');
  return everyPage(
    async (pagination) =>
      (await call(connection, path, inPages ? { pagination } : {})) as Row & { nextPageToken?: string },
    (answer) => Object.values(answer).find((value): value is Row[] => Array.isArray(value)),
  );
}

/** A candidate from a row, or from the resource inside it. */
function candidateIn(row: Row, by: 'id' | 'name'): Candidate[] {
  const resource = 'id' in row ? row : Object.values(row).find(isResource);
  const { id, name = id } = resource ?? {};
  const value = by === 'id' ? id : name;
  if (typeof value !== 'string' || !isPlain(value)) return [];
  return [{ value, about: by === 'id' && typeof name === 'string' && isPlain(name) ? name : '' }];
}

function isResource(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'id' in value;
}

/**
 * Whether a name is safe to offer: shells expand the words that they are offered, and agents choose their own names.
 */
function isPlain(name: string): boolean {
  return /^\w[\w.@+-]*$/.test(name);
}
