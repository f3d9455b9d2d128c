import Database from 'better-sqlite3';
import { advance, type Journal } from '#actors/loop.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import type { Homes } from '../stage/homes.ts';
import { report } from '../stage/report.ts';

/**
 * The registry also queries its database in the background, so the round with the fewest statements counts.
 */
const rounds = 25;
const fleet = 50;

/** The statements executed by SQLite, except those that only begin and end transactions. */
const given: string[] = [];

/** Counts the SQL statements of one operation. */
export async function benchStatements(_homes: Homes): Promise<void> {
  const stop = countStatements();
  const fixture = await registryFixture({ ceiling: 10_000 });
  try {
    const rows: string[][] = [];
    for (const [name, make] of Object.entries(operations)) rows.push([name, ...(await least(await make(fixture)))]);
    report(
      'SQL statements of one operation',
      `The minimum of ${rounds} rounds each, over the bus, with at least ${fleet} agents; without BEGIN and COMMIT.`,
      ['operation', 'reads', 'writes', 'all'],
      rows,
    );
  } finally {
    await fixture.close();
    stop();
  }
}

/** Prepares an operation, and returns a function that performs it once. */
type Prepare = (fixture: RegistryFixture) => Promise<() => Promise<unknown>>;

const operations: Readonly<Record<string, Prepare>> = {
  'a state transition': async (fixture) => {
    const live = await liveAgent(fixture);
    let turn = 0;
    return () => {
      turn += 1;
      const state = turn % 2 === 0 ? 'AGENT_STATE_WAITING' : 'AGENT_STATE_THINKING';
      return live.tell({ type: 'READING', reading: { state, reason: `turn ${turn}` } });
    };
  },
  'a turn that ends': async (fixture) => {
    const live = await liveAgent(fixture);
    let turn = 0;
    return () => {
      turn += 1;
      const state = turn % 2 === 0 ? 'AGENT_STATE_IDLE' : 'AGENT_STATE_THINKING';
      return live.tell({ type: 'READING', reading: { state, reason: `turn ${turn}` } });
    };
  },
  'a mail': async (fixture) => {
    const { id: agentId } = await fixture.create();
    return () => fixture.call('SendMail', { agentId, body: 'Rebase.' });
  },
  'a mail, and taking it': async (fixture) => {
    const { id: agentId } = await fixture.create();
    return async () => {
      await fixture.call('SendMail', { agentId, body: 'Rebase.' });
      await fixture.call('TakeMail', {}, { agentId });
    };
  },
  'a create': async (fixture) => () => fixture.create(),
  'a rename': async (fixture) => {
    const { id: agentId } = await fixture.create();
    let turn = 0;
    return () => {
      turn += 1;
      return fixture.call('RenameAgent', { agentId, name: `name-${turn}` });
    };
  },
  'a list': async (fixture) => {
    for (let made = 0; made < fleet; made += 1) await fixture.create();
    return () => fixture.call('ListAgents', { pagination: { pageSize: fleet } });
  },
  'a beat that says something new': async ({ host }) => {
    let turn = 0;
    return () => {
      turn += 1;
      host.harnesses = ['claude', `harness-${turn}`];
      return host.beat();
    };
  },
};

/** A working agent, and how its host reports readings. */
async function liveAgent({ host, create }: RegistryFixture): Promise<{ tell(event: AgentEvent): Promise<void> }> {
  const { id } = await create();
  const journal: Journal = host.registry;
  let record: AgentRecord = await host.bringUp(id);
  return {
    async tell(event) {
      ({ record } = await advance(journal, record, event));
    },
  };
}

async function least(work: () => Promise<unknown>): Promise<string[]> {
  let fewest: readonly string[] | undefined;
  for (let round = 0; round < rounds; round += 1) {
    given.length = 0;
    await work();
    if (fewest === undefined || given.length < fewest.length) fewest = [...given];
  }
  const all = fewest ?? [];
  const reads = all.filter((sql) => /^\s*(select|with)\b/i.test(sql)).length;
  return [reads, all.length - reads, all.length].map(String);
}

/** Records the statements of all connections. */
function countStatements(): () => void {
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (this: Database, sql: string) {
    const statement = prepare.call(this, sql);
    if (/^(begin|commit|rollback|savepoint|release)\b|from sqlite_schema\b/.test(sql)) return statement;
    const { all, run } = statement;
    // A compiled statement is cached, and counts each time it runs.
    statement.all = (parameters) => {
      given.push(sql);
      return all.call(statement, parameters);
    };
    statement.run = (parameters) => {
      given.push(sql);
      return run.call(statement, parameters);
    };
    return statement;
  };
  return () => {
    Database.prototype.prepare = prepare;
  };
}
