import { expect } from 'chai';
import { AgentSearch } from '#store/agent/agent-search.ts';
import { AgentTable } from '#store/agent/agent-table.ts';
import type { Position } from '#store/kernel/keyset.ts';
import { LogPositions } from '#store/kernel/log-positions.ts';
import { timesOf } from '#test/support/soak.ts';
import { askedStatements } from './asked-statements.ts';
import { itOnSqlite } from './it-on-sqlite.ts';
import { newAgent, type StoreFixture, saveHost, storeFixture } from './store-fixture.ts';

const count = timesOf('MUSTER_TEST_STORED', 2_000, 10_000);

describe('pages of agents', () => {
  let fixture: StoreFixture;

  before(async () => {
    fixture = await storeFixture();
    await saveHost(fixture.store);
    for (let made = 0; made < count; ) {
      await fixture.store.write(async ({ journal }) => {
        do {
          if (made % 3 === 0) fixture.clock.pass(1);
          await journal.insert(newAgent(`agt_${String(made).padStart(6, '0')}`));
          made += 1;
        } while (made % 100 !== 0);
      });
    }
  });
  after(() => fixture.close());

  async function walk(limit: number): Promise<string[]> {
    const ids: string[] = [];
    let after: Position | undefined;
    for (;;) {
      const page = await fixture.store.read(({ agents }) => agents.page({ standing: 'present', after, limit }));
      ids.push(...page.map(({ id }) => id));
      after = page.at(-1);
      if (page.length < limit) return ids;
    }
  }

  it(`contain ${count} agents, each exactly once, newest first`, async () => {
    const ids = await walk(200);
    expect(ids).to.have.length(count);
    expect(new Set(ids).size).to.equal(count);
    expect(ids).to.deep.equal(ids.toSorted().reverse());
  });

  itOnSqlite('answers every page from the index, wherever it starts', async () => {
    const { orm, plansOf } = await askedStatements(fixture.file);
    const plans = await plansOf(async () => {
      const em = orm.em.fork();
      const table = new AgentTable(em, new LogPositions(em));
      const middle = { updatedAt: fixture.clock.now() - count / 10, id: 'agt_005000' };
      await table.page({ standing: 'present', limit: 50 });
      await table.page({ standing: 'present', after: middle, limit: 50 });
      await table.movedAfter(BigInt(count / 2), 50);
      await table.changesOn('hst_1', BigInt(count / 2), 50);
      const search = new AgentSearch(orm.em.fork());
      const ways = ['id', 'name', 'mark', 'nameStart', 'idStart'] as const;
      for (const match of ways) await search.matching('archived', match, 'agt_0');
      await search.names();
      await table.countPlaced();
    });
    await orm.close();
    const [counted = []] = plans.splice(-1);
    expect(counted.filter((step) => step.includes(' agent '))).to.deep.equal([
      'SEARCH agent USING COVERING INDEX agent_by_placement (standing=?)',
      'SEARCH agent USING INDEX sqlite_autoindex_agent_1 (id=?)',
      'SEARCH agent USING INDEX agent_by_placement (standing=? AND state=?)',
    ]);
    expect(plans.map(([first]) => first)).to.deep.equal([
      'SEARCH agent USING INDEX agent_by_update (standing=?)',
      'SEARCH agent USING INDEX agent_by_update (standing=? AND (updated_at,id)<(?,?))',
      'SEARCH agent USING INDEX agent_by_move (moved_seq>?)',
      'SEARCH agent USING INDEX agent_by_host (host_id=? AND record_seq>?)',
      'SEARCH effect USING INDEX effect_by_agent (agent_id=?)',
      'SEARCH agent USING INDEX sqlite_autoindex_agent_1 (id=?)',
      'SEARCH agent USING INDEX agent_by_name (standing=? AND name=?)',
      'SEARCH agent USING INDEX agent_mark (mark=?)',
      'SEARCH agent USING INDEX agent_by_name (standing=? AND name>? AND name<?)',
      'SEARCH agent USING INDEX sqlite_autoindex_agent_1 (id>? AND id<?)',
      'SEARCH agent USING COVERING INDEX agent_by_name (standing=?)',
    ]);
    for (const plan of plans.toSpliced(10, 1).toSpliced(4, 1)) expect(plan).to.have.length(1);
  });
});
