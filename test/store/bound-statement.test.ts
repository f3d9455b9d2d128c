import { raw } from '@mikro-orm/sql';
import { expect } from 'chai';
import { type Binding, boundStatement, WholeArray } from '#store/database/bound-statement.ts';

const speller = { quoteIdentifier: (name: string) => `"${name}"` };
const numbered: Binding = { placeholder: (place) => `$${place}`, bound: (value) => value };

describe('a bound statement', () => {
  const bound = (sql: Parameters<typeof boundStatement>[0], values: readonly unknown[]) =>
    boundStatement(sql, values, speller, numbered);

  it('has its values beside its text, whatever they hold', () => {
    const values = [`it's; drop table "agent"`, 'a?b\0', 7n, true, null, undefined];
    expect(bound('select ?, ?, ?, ?, ?, ?', values)).to.deep.equal({
      sql: 'select $1, $2, $3, $4, $5, $6',
      parameters: [`it's; drop table "agent"`, 'a?b\0', 7n, true, null, null],
    });
  });

  it('spells names, lists and pieces of SQL in their places, and JSON as a text', () => {
    const values = ['agent', ['a', 'b'], raw('lower(?)', ['X']), { a: [1] }, new WholeArray([1, 2])];
    expect(bound('?? in (?) \\? ? ? ?', values)).to.deep.equal({
      sql: '"agent" in ($1, $2) ? lower($3) $4 $5',
      parameters: ['a', 'b', 'X', '{"a":[1]}', [1, 2]],
    });
  });

  it('takes its values by name too', () => {
    expect(boundStatement('select :a, :b', { a: 1, b: 'x' }, speller, numbered).parameters).to.deep.equal([1, 'x']);
  });

  it('refuses what no column holds', () => {
    expect(() => bound('select ?', [() => 1])).to.throw('A column cannot hold a function');
  });
});
