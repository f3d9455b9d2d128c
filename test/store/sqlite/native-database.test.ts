import Database from 'better-sqlite3';
import { expect } from 'chai';
import { run } from '#store/sqlite/native-database.ts';

describe('the prepared statements of a connection', () => {
  it('are compiled once, and follow changes of the schema', () => {
    const database = new Database(':memory:');
    const texts: string[] = [];
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      texts.push(sql);
      return prepare(sql);
    };
    const all = { sql: 'select * from kept', parameters: [] };
    database.exec('create table kept (a)');
    run(database, { sql: 'insert into kept values (?)', parameters: [1] });
    run(database, { sql: 'insert into kept values (?)', parameters: [2] });
    expect(run(database, all).rows).to.deep.equal([{ a: 1 }, { a: 2 }]);
    database.exec('alter table kept add column b default 7');
    expect(run(database, all).rows).to.deep.equal([
      { a: 1, b: 7 },
      { a: 2, b: 7 },
    ]);
    expect(texts).to.deep.equal(['insert into kept values (?)', 'select * from kept']);
    database.close();
  });

  it('are evicted if there are many, least recently used first', () => {
    const database = new Database(':memory:');
    let compiled = 0;
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      compiled += 1;
      return prepare(sql);
    };
    const read = (number: number) => run(database, { sql: `select ${number} as n`, parameters: [] }).rows[0]?.['n'];
    for (let number = 0; number < 600; number += 1) {
      expect(read(number)).to.equal(number);
      expect(read(0)).to.equal(0);
    }
    expect(compiled).to.equal(600);
    expect(read(1)).to.equal(1);
    expect(compiled, 'the first but one is long forgotten').to.equal(601);
    database.close();
  });
});
