import { expect } from 'chai';
import { changedColumns } from '#store/kernel/update-row.ts';

interface Row {
  readonly state: string;
  readonly alive: boolean;
  readonly branch?: string | null;
  readonly turns: { readonly total: number; readonly day?: number } | null;
  readonly seq: bigint;
}

const row: Row = { state: 'idle', alive: true, branch: null, turns: { total: 2 }, seq: 7n };

describe('the changed columns of a row', () => {
  const cases: readonly { readonly what: string; readonly columns: Partial<Row>; readonly changed: Partial<Row> }[] = [
    { what: 'none if every value stays', columns: { ...row }, changed: {} },
    { what: 'a text that differs', columns: { ...row, state: 'working' }, changed: { state: 'working' } },
    { what: 'a boolean that differs', columns: { ...row, alive: false }, changed: { alive: false } },
    { what: 'a null that becomes a text', columns: { branch: 'main' }, changed: { branch: 'main' } },
    { what: 'an object that differs within', columns: { turns: { total: 3 } }, changed: { turns: { total: 3 } } },
    { what: 'an object that becomes null', columns: { turns: null }, changed: { turns: null } },
    { what: 'no object that is stored alike', columns: { turns: { total: 2 } }, changed: {} },
    { what: 'a number of many digits', columns: { seq: 8n }, changed: { seq: 8n } },
  ];
  for (const { what, columns, changed } of cases) {
    it(`are ${what}`, () => expect(changedColumns(row, columns)).to.deep.equal(changed));
  }
});
