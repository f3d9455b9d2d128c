/** A change of a machine's context. */
export interface Change {
  /** Its path, such as `checkout.branch`. */
  readonly path: string;
  /** The old value as JSON, cut if it is long; empty if there was none. */
  readonly before: string;
  /** The new value as JSON, cut if it is long; empty if it was removed. */
  readonly after: string;
}

/** How much of a value is shown, in characters. */
const maxReported = 1_000;

/** The differences between two contexts, by field in the order of their names. Lists are compared as a whole. */
export function changesOf(before: unknown, after: unknown, path = ''): readonly Change[] {
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) => changesOf(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  const [was, is] = [shown(before), shown(after)];
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before: was, after: is }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length <= maxReported ? text : `${text.slice(0, maxReported)}…`;
}
