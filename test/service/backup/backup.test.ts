import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { type PostgresServer, startPostgres, superuser } from '#test/support/postgres/postgres-server.ts';
import { inSoak, isSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';

const program = fileURLToPath(new URL('../../../bin/muster.mjs', import.meta.url));

/** What a command did. */
interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** A command, its exit code, and what it says on standard error. */
type Case = readonly [args: readonly string[], status: number, words: RegExp];

const members = ['registry', 'host', 'gateway'] as const;
/** What is in a state folder beside the installation: locks, the bus of the test, files of the moment. */
const besides = ['run', 'logs', 'tmp', 'worktrees', 'bin', 'rules'];

for (const database of ['SQLite', 'PostgreSQL'] as const) {
  describe(`a backup of an installation on ${database}`, function () {
    this.timeout(180_000);
    const settings: Record<string, string> = {};
    let pieces: Pieces;
    let server: PostgresServer | undefined;
    let file: string;
    let workflowId: string;

    before(async () => {
      if (database === 'PostgreSQL') {
        server = await startPostgres();
        await server.execute('postgres', 'create database first', 'create database second');
        settings['MUSTER_DATABASE_URL'] = urlOf('first');
      }
      pieces = await setUpPieces(undefined, settings);
      file = join(pieces.otherHome, 'one.backup');
      for (const member of members) await pieces.start(member);
      const made = { name: 'shells', cwd: pieces.repository, harness: 'shell', provisionEnabled: false };
      const { workflow } = await pieces.call<{ workflow: { id: string } }>(
        'workflow.v1.WorkflowService/CreateWorkflow',
        made,
      );
      workflowId = workflow.id;
    });
    after(async () => {
      await pieces.stop();
      server?.remove();
    });

    const urlOf = (name: string) => `postgres:///${name}?user=${superuser}&host=${server?.socket}`;
    const muster = (...args: readonly string[]) => musterAt(pieces.home, ...args);
    const musterAt = (home: string, ...args: readonly string[]): Promise<Outcome> =>
      new Promise((resolve) => {
        const env = { ...process.env, MUSTER_LOG: 'fatal', ...settings, MUSTER_HOME: home };
        execFile(process.execPath, [program, ...args], { env }, (error, out, err) =>
          resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
        );
      });
    const launch = (title: string) =>
      pieces.call('agent.v1.AgentService/CreateAgent', { prompt: 'echo ü 😀', workflowId, title });
    const agents = async () => {
      const { agents: rows } = await pieces.call<{ agents: AgentRow[] }>('agent.v1.AgentService/ListAgents', {});
      return rows.map(({ agent }) => ({ id: agent?.id, name: agent?.name, state: agent?.state }));
    };
    const idle = (count: number) =>
      moment('the agents are at rest', async () => {
        const all = await agents();
        return all.length === count && all.every(({ state }) => state === 'AGENT_STATE_IDLE');
      });
    const token = () => readFileSync(join(pieces.home, 'operator.token'), 'utf8');

    it('is made while the installation runs, and is readable only by its owner', async () => {
      await launch('kept');
      await idle(1);
      const done = await muster('backup', file);
      expect(done.status, done.err).to.equal(0);
      expect(done.out)
        .to.include(file)
        .and.to.match(/verified by reading it back/)
        .and.to.match(/unencrypted/);
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      expect(readdirSync(join(pieces.home, 'tmp')), 'what it leaves').to.deep.equal([]);
      const again = await muster('backup', file);
      expect(again).to.include({ status: 6, out: '' });
      expect(again.err).to.include('already exists');
    });

    // With PostgreSQL, the second installation would be in the same database.
    if (database === 'SQLite')
      it('says, restored into another state folder, that windows run where it was made', async () => {
        const other = join(pieces.otherHome, 'restored');
        const done = await musterAt(other, 'restore', file);
        expect(done.status, done.err).to.equal(0);
        expect(done.out).to.include(`The windows of 1 agents, or of their children, still run in ${pieces.home}`);
      });

    it('is restored to the same agents, with valid tokens', async () => {
      const [before, known] = [await agents(), token()];
      await launch('later');
      await idle(2);
      const refused = await muster('restore', file);
      expect(refused.status).to.equal(6);
      expect(refused.err).to.match(/already (has an installation|runs on)/);
      for (const member of members.toReversed()) await pieces.halt(member);
      expect((await muster('restore', file)).err).to.include('already has an installation');

      for (const name of readdirSync(pieces.home).filter((one) => !besides.includes(one)))
        rmSync(join(pieces.home, name));
      if (server) settings['MUSTER_DATABASE_URL'] = urlOf('second');
      const done = await muster('restore', file);
      expect(done.status, done.err).to.equal(0);
      expect(done.out).to.match(/^Everything done from .* is lost/m);
      expect(existsSync(join(pieces.home, 'muster.db'))).to.equal(database === 'SQLite');
      expect(token()).to.equal(known);
      expect(readdirSync(join(pieces.home, 'tmp')), 'what it leaves').to.deep.equal([]);

      for (const member of members) await pieces.start(member);
      await idle(1);
      expect(await agents()).to.deep.equal(before);
      const { facts } = await pieces.call<{ facts: { kind: string; detail: string }[] }>(
        'fact.v1.FactService/ListFacts',
        {},
      );
      const restored = facts.filter(({ kind }) => kind === 'installation.restored');
      expect(restored).to.have.length(1);
      expect(JSON.parse(restored[0]?.detail ?? '')).to.have.all.keys('takenAt', 'restoredAt');
      await launch('after it');
      await idle(2);
    });

    // These have nothing to do with the database: with PostgreSQL, they run in soak.
    const itOnce = database === 'SQLite' || isSoak ? it : undefined;

    inSoak(
      'is not restored half: a restore that was cut off keeps muster from starting, and is done again',
      async () => {
        for (const member of members.toReversed()) await pieces.halt(member);
        writeFileSync(join(pieces.home, 'restore.unfinished'), file);
        rmSync(join(pieces.home, 'host.id'));
        const refused = await muster('registry');
        expect(refused.status).to.equal(6);
        if (server) {
          await server.execute('postgres', 'create database third');
          settings['MUSTER_DATABASE_URL'] = urlOf('third');
        }
        const done = await muster('restore', file);
        expect(done.status, done.err).to.equal(0);
        for (const member of members) await pieces.start(member);
        await idle(1);
      },
    );

    itOnce?.('leaves a state folder as it was if it cannot be read', async () => {
      const damaged = join(pieces.otherHome, 'damaged.backup');
      writeFileSync(damaged, readFileSync(file).subarray(0, 5_000));
      const parent = join(pieces.otherHome, 'new');
      const empty = join(pieces.otherHome, 'empty');
      mkdirSync(empty);
      writeFileSync(join(empty, 'notes.txt'), 'mine');
      for (const home of [join(parent, 'home'), empty]) {
        const refused = await musterAt(home, 'restore', damaged);
        expect(refused.err).to.match(/damaged\.backup cannot be restored/);
        expect(refused.status).to.equal(1);
      }
      const taken = await musterAt(damaged, 'restore', file);
      expect(taken.err, 'a file in the place of the folder').to.match(/The state folder .* cannot be used/);
      expect(existsSync(parent)).to.equal(false);
      expect(readdirSync(empty)).to.deep.equal(['notes.txt']);
    });

    itOnce?.('comes back again and again into a folder, of which the newest are kept', async () => {
      const folder = join(pieces.otherHome, 'every');
      mkdirSync(folder);
      for (const name of ['muster-20200101T000000Z.backup', 'muster-20200102T000000Z.backup', 'mine.backup'])
        writeFileSync(join(folder, name), '');
      const child = execFile(process.execPath, [program, 'backup', '--every', '1d', '--keep', '2', folder], {
        env: { ...process.env, ...settings, MUSTER_HOME: pieces.home },
      });
      const names = () => readdirSync(folder).filter((name) => name.endsWith('.backup'));
      await moment(
        'the oldest one is removed',
        () => names().length === 3 && !names().includes('muster-20200101T000000Z.backup'),
      );
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      expect(await ended).to.equal(0);
      expect(names()).to.include.members(['mine.backup', 'muster-20200102T000000Z.backup']);
      const newest = names().find((name) => name.startsWith('muster-202') && !name.startsWith('muster-2020'));
      expect(statSync(join(folder, newest ?? '')).size).to.be.above(1_000);
    });

    it('explains invalid requests', async () => {
      const open = join(pieces.otherHome, 'open');
      writeFileSync(open, 'secret');
      chmodSync(open, 0o644);
      // Words that are wrong on their own are refused before a database is known.
      const wrong: readonly Case[] = [
        [['backup'], 2, /Usage: muster backup FILE/],
        [['backup', 'a.backup', 'b.backup'], 2, /Usage: muster backup FILE/],
        [['backup', ''], 2, /The name of the backup is empty/],
        [['backup', '--every', '6h', ''], 2, /The name of the backup is empty/],
        [['backup', '--keep', '3', '/tmp'], 2, /--keep needs --every/],
        [['backup', '--every', 'often', '/tmp'], 2, /--every is "often": give minutes/],
        [['backup', '--every', '6h', '--keep', '0', '/tmp'], 2, /--keep is "0"/],
        [
          ['backup', '--passphrase-file', join(pieces.home, 'nowhere'), `${file}.2`],
          2,
          /--passphrase-file is ".*\/nowhere", which is missing/,
        ],
        [['backup', '--passphrase-file', open, `${file}.2`], 6, /chmod/],
        [['restore', './missing.backup'], 2, /There is no file/],
      ];
      const impossible: readonly Case[] = [
        [['backup', join(pieces.home, 'nowhere/one.backup')], 6, /The folder .*nowhere of the backup is missing/],
        [['backup', '--every', '6h', open], 6, /open is a file: name a folder/],
        [['backup', join(open, 'one.backup')], 6, /open is a file: name a folder/],
        [['restore', program], 6, /already (has|runs)/],
      ];
      // All of them run in soak: the words of a command are read before any database.
      const inSuite = server ? impossible.slice(-1) : [...someOf(wrong, 0, 9), ...someOf(impossible)];
      const cases = isSoak ? [...wrong, ...impossible] : inSuite;
      const nobody = join(pieces.otherHome, 'nobody');
      if (!server) {
        const { err } = await musterAt(nobody, 'backup', `${file}.3`);
        expect(err).to.match(/There is no .*nobody\/muster\.db to back up/);
        expect(existsSync(nobody)).to.equal(false);
      }
      for (const [args, status, words] of cases) {
        const outcome = await muster(...args);
        expect(outcome.err, args.join(' ')).to.match(words);
        expect(outcome, args.join(' ')).to.include({ status, out: '' });
      }
    });
  });
}
