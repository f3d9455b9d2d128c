import { type Dictionary, isRaw, NativeQueryBuilder, type RawQueryFragment, raw } from '@mikro-orm/sql';
import type { Statement } from './statement.ts';
import { storedValue } from './stored-value.ts';

/** The part of a MikroORM platform that quotes identifiers. */
interface Quoter {
  quoteIdentifier(name: string): string;
}

/** How an engine writes the placeholder of its n-th parameter, from 1, and converts a value for binding. */
export interface Binding {
  placeholder(place: number): string;
  bound(value: ReturnType<typeof storedValue>): unknown;
}

/** A list that is bound as one parameter. Each item of a plain list is a parameter. */
export class WholeArray {
  readonly values: readonly ReturnType<typeof storedValue>[];

  constructor(values: WholeArray['values']) {
    this.values = values;
  }
}

/**
 * Returns a statement whose values are parameters, where MikroORM would inline them. So the same text recurs, and an
 * engine compiles it once.
 */
export function boundStatement(
  asked: string | NativeQueryBuilder | RawQueryFragment,
  given: readonly unknown[] | Dictionary,
  quoter: Quoter,
  binding: Binding,
): Statement {
  const { sql, params: values } = asked instanceof NativeQueryBuilder ? asked.toRaw() : textOf(asked, given);
  const parameters: unknown[] = [];
  const written = (value: unknown): string => {
    if (isRaw(value)) return filled(value.sql, value.params);
    if (Array.isArray(value)) return value.map(written).join(', ');
    const { bound } = binding;
    parameters.push(value instanceof WholeArray ? value.values.map(bound) : bound(storedValue(value)));
    return binding.placeholder(parameters.length);
  };
  const filled = (text: string, of: readonly unknown[]): string => {
    let next = 0;
    return text.replaceAll(/\\\?|\?\?|\?/g, (found) => {
      if (found === '\\?') return '?';
      const value = of[next];
      next += 1;
      return found === '??' ? quoter.quoteIdentifier(String(value)) : written(value);
    });
  };
  return { sql: values.length === 0 ? sql : filled(sql, values), parameters };
}

/** A statement with its values; named parameters become positional. */
function textOf(
  asked: string | RawQueryFragment,
  values: readonly unknown[] | Dictionary,
): { readonly sql: string; readonly params: readonly unknown[] } {
  if (isRaw(asked)) return asked;
  return Array.isArray(values) ? { sql: asked, params: values } : raw(asked, values);
}
