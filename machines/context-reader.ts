import type { StoredSnapshot } from '#contract/agent/agent-view.ts';

/** The `typeof` of a value; `null` for null. */
type KindOf<T> = T extends string
  ? 'string'
  : T extends number
    ? 'number'
    : T extends boolean
      ? 'boolean'
      : T extends null
        ? 'null'
        : 'object';

/**
 * The kinds of every field that a context always has. The compiler refuses a field that is left out, and a kind that it
 * never has.
 */
type Shape<Context> = {
  readonly [Field in keyof Context as undefined extends Context[Field] ? never : Field]-?: readonly KindOf<
    Context[Field]
  >[];
};

/**
 * Makes the one reader of a machine's context: it takes a stored snapshot and returns its typed context. Snapshots are
 * already upgraded to the current version (`snapshot-upgrade.ts`); the reader refuses one that lacks a required field
 * of that version.
 * @throws Error naming the machine, the field and what it holds instead
 */
export function contextReader<Context extends object>(
  machine: string,
  shape: Shape<Context>,
): (snapshot: Pick<StoredSnapshot, 'context'>) => Context {
  const fields = Object.entries<readonly string[]>(shape);
  const findFault = (context: unknown): string | undefined => {
    if (typeof context !== 'object' || context === null) return `it is ${kindOf(context)}`;
    const held = context as Readonly<Record<string, unknown>>;
    const wrong = fields.find(([field, kinds]) => !kinds.includes(kindOf(held[field])));
    return wrong && `its ${wrong[0]} is ${kindOf(held[wrong[0]])} instead of ${wrong[1].join(' or ')}`;
  };
  // A transition reads the same contexts a dozen times, and nothing changes them.
  const whole = new WeakSet<object>();
  const isWhole = (context: unknown): context is Context => {
    if (typeof context !== 'object' || context === null) return false;
    if (!whole.has(context) && findFault(context) === undefined) whole.add(context);
    return whole.has(context);
  };
  return ({ context }) => {
    if (isWhole(context)) return context;
    throw new Error(`The stored context of a machine ${machine} cannot be read: ${findFault(context)}`);
  };
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
