import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { runsOnPostgres, skippedOnPostgres } from './on-postgres.ts';
import { selectTests } from './selection.ts';

describe('the files that run on PostgreSQL as well', () => {
  const all = selectTests(['test/store', 'test/registry'], process.cwd());

  it('are those of the store and the registry, except for those about SQLite', () => {
    expect(runsOnPostgres('test/registry/mail/mail.test.ts')).to.equal(true);
    expect(runsOnPostgres('test/store/fact-table.test.ts')).to.equal(true);
    expect(runsOnPostgres('test/store/sqlite/sqlite-engine.test.ts')).to.equal(false);
    expect(runsOnPostgres('test/store/postgres/engine.test.ts')).to.equal(false);
    expect(runsOnPostgres('test/cli/client/rpc.test.ts')).to.equal(false);
  });

  it('leave out only existing files, each with a reason', () => {
    const skipped = skippedOnPostgres([...all, 'test/store/sqlite/sudden-death.soak.test.ts']);
    expect(skipped).to.have.length(17);
    for (const line of skipped) {
      const [file = '', why] = line.split(': it ');
      expect(existsSync(file), file).to.equal(true);
      expect(why, line).to.match(/\w+/);
    }
  });
});
