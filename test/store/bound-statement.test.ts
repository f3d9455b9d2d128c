import { raw } from '@mikro-orm/sql';
import { expect } from 'chai';
import { type Binding, boundStatement, WholeArray } from '#store/database/bound-statement.ts';

const speller = { quoteIdentifier: (name: string) => `"${name}"` };
const numbered: Binding = { placeholder: (place) => `$${place}`, bound: (value) => value };

describe('a bound statement', () => {
  const bound = (sql: Parameters<typeof boundStatement>[0], values: readonly unknown[]) =>
    boundStatement(sql, values, speller, numbered);

  it('binds any values separately from its text', () => {
    const values = [`it's; drop table "agent"`, 'a?b\0', 7n, true, null, undefined];
    expect(bound('select ?, ?, ?, ?, ?, ?', values)).to.deep.equal({
      sql: 'select $1, $2, $3, $4, $5, $6',
      parameters: [`it's; drop table "agent"`, 'a?b\0', 7n, true, null, null],
    });
  });

  it('inlines names, lists and fragments of SQL, and binds JSON as text', () => {
    const values = ['agent', ['a', 'b'], raw('lower(?)', ['X']), { a: [1] }, new WholeArray([1, 2])];
    expect(bound('?? in (?) \\? ? ? ?', values)).to.deep.equal({
      sql: '"agent" in ($1, $2) ? lower($3) $4 $5',
      parameters: ['a', 'b', 'X', '{"a":[1]}', [1, 2]],
    });
  });

  it('accepts values by name too', () => {
    expect(boundStatement('select :a, :b', { a: 1, b: 'x' }, speller, numbered).parameters).to.deep.equal([1, 'x']);
  });

  it('refuses a value that no column can hold', () => {
    expect(() => bound('select ?', [() => 1])).to.throw('A column cannot hold a function');
  });
});
