import { type Dictionary, isRaw, NativeQueryBuilder, type RawQueryFragment, raw } from '@mikro-orm/sql';
import type { Statement } from './statement.ts';
import { storedValue } from './stored-value.ts';

/** The part of a MikroORM platform that quotes identifiers. */
interface Speller {
  quoteIdentifier(name: string): string;
}

/** How an engine writes the placeholder of its n-th parameter, from one, and converts a value. */
export interface Binding {
  placeholder(place: number): string;
  bound(value: ReturnType<typeof storedValue>): unknown;
}

/** A list that is one parameter. A plain list is as many parameters as it has items. */
export class WholeArray {
  readonly values: readonly ReturnType<typeof storedValue>[];

  constructor(values: WholeArray['values']) {
    this.values = values;
  }
}

/**
 * Returns a statement as engines prepare it: its values are separate from the text, where MikroORM would inline them.
 * The same text recurs, so an engine compiles it once.
 */
export function boundStatement(
  asked: string | NativeQueryBuilder | RawQueryFragment,
  given: readonly unknown[] | Dictionary,
  speller: Speller,
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
      return found === '??' ? speller.quoteIdentifier(String(value)) : written(value);
    });
  };
  return { sql: values.length === 0 ? sql : filled(sql, values), parameters };
}

/** A text with its values; named values are put in their places. */
function textOf(
  asked: string | RawQueryFragment,
  values: readonly unknown[] | Dictionary,
): { readonly sql: string; readonly params: readonly unknown[] } {
  if (isRaw(asked)) return asked;
  return Array.isArray(values) ? { sql: asked, params: values } : raw(asked, values);
}
