import Database from 'better-sqlite3';
import { advance, type Journal } from '#actors/loop.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { DatabaseWriter } from '#store/sqlite/database-writer.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import type { Homes } from '../stage/homes.ts';
import { report } from '../stage/report.ts';

/**
 * The registry also looks at its database of its own accord: the round in which it did so least is the operation's own.
 */
const rounds = 25;
const fleet = 50;

/** The statements that SQLite was given, but for those that begin and end transactions. */
const given: string[] = [];

/** How many statements the registry gives SQLite for one operation. */
export async function benchStatements(_homes: Homes): Promise<void> {
  const stop = countStatements();
  const fixture = await registryFixture({ ceiling: 10_000 });
  try {
    const rows: string[][] = [];
    for (const [name, make] of Object.entries(operations)) rows.push([name, ...(await least(await make(fixture)))]);
    report(
      'SQL statements of one operation',
      `The least of ${rounds} rounds each, over the bus, with ${fleet} agents and more; transactions are counted beside.`,
      ['operation', 'reads', 'writes', 'all'],
      rows,
    );
  } finally {
    await fixture.close();
    stop();
  }
}

/** Prepares an operation, and gives what does it once. */
type Prepare = (fixture: RegistryFixture) => Promise<() => Promise<unknown>>;

const operations: Readonly<Record<string, Prepare>> = {
  'a state move': async (fixture) => {
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

/** An agent at work, and its host's way to report what it sees. */
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

/** Notes each statement of both connections: what reads is in this thread, what writes is asked for from here. */
function countStatements(): () => void {
  const { run } = DatabaseWriter.prototype;
  const { prepare } = Database.prototype;
  DatabaseWriter.prototype.run = function (statement) {
    given.push(statement.sql);
    return run.call(this, statement);
  };
  Database.prototype.prepare = function (this: Database, sql: string) {
    const statement = prepare.call(this, sql);
    const all = statement.all.bind(statement);
    // A statement is kept once it is compiled: it counts whenever it is run.
    statement.all = (parameters) => {
      given.push(sql);
      return all(parameters);
    };
    return statement;
  };
  return () => {
    DatabaseWriter.prototype.run = run;
    Database.prototype.prepare = prepare;
  };
}
