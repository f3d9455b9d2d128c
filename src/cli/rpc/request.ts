import type { Path, RequestOf } from '#cli/client/client.ts';
import type { TextSource } from '#cli/print/text-source.ts';
import { Failure } from '#contract/failure.ts';
import { fits } from './fits.ts';
import type { ParsedFlag } from './flags.ts';
import type { ListedOperation } from './listed-operation.ts';
import { fieldValue, parseObject } from './value.ts';

/** The part of a request that a command line contributes. */
export interface CommandInput {
  readonly given: readonly ParsedFlag[];
  /** The whole request as JSON. */
  readonly json?: string | undefined;
  /** The defaults, which JSON and flags override. */
  readonly base?: Readonly<Record<string, unknown>>;
  readonly source: TextSource;
  /** The command whose help lists the flags, such as `muster rpc create-agent`. */
  readonly command: string;
}

/** The type of a path's request; a plain object if the path is not known statically. */
type Request<P extends string> = P extends Path ? RequestOf<P> : Readonly<Record<string, unknown>>;

/**
 * Builds and checks an operation's request. Flags override the JSON, which overrides the base.
 * @throws INVALID_ARGUMENT naming every field or flag that is wrong or unknown
 */
export async function requestOf<P extends string>(
  operation: ListedOperation<P>,
  { given, json, base, source, command }: CommandInput,
): Promise<Request<P>> {
  const whole = json === undefined ? {} : parseObject('--json', await source.read('--json', json));
  const request: Record<string, unknown> = { ...base, ...whole };
  for (const { field, flag, texts } of given) {
    const values: unknown[] = [];
    for (const text of texts) values.push(await fieldValue(field, flag, text, source));
    put(request, field.path, field.list ? values : values[0]);
  }
  try {
    return (fits(request, operation.shape) ? request : await checked(operation, request)) as Request<P>;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.saying(`${error.message}. \`${command} --help\` lists the flags`);
  }
}

/** Removes null fields, which count as unset, as on the other channels. */
function withoutNull(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(given.map(([name, one]) => [name, withoutNull(one)]));
}

/** The request as the contract's schema parses it, or its faults. Loading the schema is slow. */
async function checked({ path }: ListedOperation, request: object): Promise<unknown> {
  const [{ operations }, { pathOf }, { refuseUnknownFields }, { parseRequest }] = await Promise.all([
    import('#contract/table.ts'),
    import('#contract/operation.ts'),
    import('#contract/parse/known-fields.ts'),
    import('#contract/parse/parse.ts'),
  ]);
  const row = operations.find((one) => pathOf(one) === path);
  if (row === undefined) throw new Failure('OPERATION_UNKNOWN', `There is no operation ${path} in this version`);
  refuseUnknownFields(row.request, request);
  return parseRequest(row.request, withoutNull(request));
}

function put(request: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let target = request;
  for (const name of path.slice(0, -1)) {
    const inner = target[name];
    target = target[name] = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  }
  target[path.at(-1) ?? ''] = value;
}
