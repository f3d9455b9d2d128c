import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { type PostgresServer, startPostgres, superuser } from '#test/support/postgres/postgres-server.ts';
import { inSoak } from '#test/support/soak.ts';

const program = fileURLToPath(new URL('../../../bin/muster.mjs', import.meta.url));

/** What a command did. */
interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

describe('muster migrate-database', function () {
  this.timeout(180_000);
  const settings: Record<string, string> = {};
  let pieces: Pieces;
  let server: PostgresServer;
  let target: string;

  before(async () => {
    [pieces, server] = await Promise.all([setUpPieces(undefined, settings), startPostgres()]);
    await server.execute('postgres', 'create database fleet', 'create database other');
    target = `postgres:///fleet?user=${superuser}&host=${server.socket}`;
  });
  after(async () => {
    await pieces.stop();
    server.remove();
  });

  const migrate = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
    new Promise((resolve) => {
      const env = { ...process.env, MUSTER_HOME: pieces.home, ...more };
      execFile(process.execPath, [program, 'migrate-database', ...args], { env }, (error, out, err) =>
        resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
    });
  const agents = async () => {
    const { agents: rows } = await pieces.call<{ agents: AgentRow[] }>('agent.v1.AgentService/ListAgents', {});
    return rows.map(({ agent }) => [agent?.id, agent?.name, agent?.prompt, agent?.createdAt]);
  };
  const inHome = (start: string) => readdirSync(pieces.home).filter((name) => name.startsWith(start));

  it('migrates an installation, keeps the old database, and muster continues', async () => {
    for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
    const made = { name: 'shells', cwd: pieces.repository, harness: 'shell', provisionEnabled: true };
    const { workflow } = await pieces.call<{ workflow: { id: string } }>(
      'workflow.v1.WorkflowService/CreateWorkflow',
      made,
    );
    const prompt = 'echo ü 😀';
    await pieces.call('agent.v1.AgentService/CreateAgent', { prompt, workflowId: workflow.id, title: 'carried' });
    const before = await agents();
    expect(before.map(([, name]) => name)).to.deep.equal(['carried']);

    const running = await migrate(['--to', target]);
    expect(running.status, running.err).to.equal(6);
    expect(running.err).to.match(/muster registry already runs on .*: process \d+/);
    for (const piece of ['gateway', 'host', 'registry'] as const) await pieces.halt(piece);

    const done = await migrate(['--to', target]);
    expect(done.status, done.err).to.equal(0);
    expect(done.out).to.match(/^agent +1 /m);
    expect(done.out).to.match(/compared them: all are the same/);
    expect(existsSync(join(pieces.home, 'muster.db'))).to.equal(false);
    const [kept] = inHome('muster.db-migrated-');
    expect(done.out).to.include(join(pieces.home, kept ?? ''));

    // Without MUSTER_DATABASE_URL, muster does not start over.
    const again = await migrate(['--to', target]);
    expect(again.status).to.equal(6);
    expect(again.err)
      .to.include('it has already been migrated')
      .and.to.include(kept ?? '');
    settings['MUSTER_DATABASE_URL'] = target;
    for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
    expect(await agents()).to.deep.equal(before);
    await pieces.call('agent.v1.AgentService/CreateAgent', { prompt, workflowId: workflow.id, title: 'later' });
    expect((await agents()).length).to.equal(2);
  });

  inSoak('refuses an unreadable database, and a migrated one', async () => {
    const elsewhere = `postgres:///missing?user=${superuser}&host=${server.socket}`;
    const cases: readonly (readonly [args: readonly string[], status: number, words: RegExp])[] = [
      [[], 2, /--to is missing. Usage: muster migrate-database --to/],
      [['--to'], 2, /Usage: muster migrate-database --to/],
      [['--to', 'mysql://x'], 2, /--to has the form of MUSTER_DATABASE_URL. .*must be an address such as/],
      [['--from', 'x'], 2, /Usage: muster migrate-database --to/],
      [['--to', elsewhere], 6, /There is no .*muster\.db to migrate: it has already been migrated/],
    ];
    for (const [args, status, words] of cases) {
      const outcome = await migrate(args);
      expect(outcome, args.join(' ')).to.include({ status, out: '' });
      expect(outcome.err).to.match(words);
    }
    const set = await migrate(['--to', target], { MUSTER_DATABASE_URL: target });
    expect(set.status).to.equal(2);
    expect(set.err).to.match(/MUSTER_DATABASE_URL is set, so muster already runs on PostgreSQL/);
  });
});
