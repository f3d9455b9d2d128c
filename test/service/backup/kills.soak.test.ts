import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readArchive } from '#service/backup/archive.ts';
import { contentsOf, databaseEntry } from '#service/backup/contents.ts';
import { requireFinishedRestore } from '#service/backup/unfinished.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { type PostgresServer, startPostgres, superuser } from '#test/support/postgres/postgres-server.ts';
import { inSoak, isSoak } from '#test/support/soak.ts';

const program = fileURLToPath(new URL('../../../bin/muster.mjs', import.meta.url));
const killAt = fileURLToPath(new URL('../../support/kill-at.cjs', import.meta.url));
/** A soak kills at every change of files, the suite at a sample. */
const step = isSoak ? 1 : 12;

/** How a command ended. */
interface CommandExit {
  readonly status: number;
  readonly isKilled: boolean;
  readonly err: string;
}

describe('a kill of muster', function () {
  this.timeout(isSoak ? 1_200_000 : 240_000);
  let pieces: Pieces;
  let folder: string;
  let home: string;
  let server: PostgresServer | undefined;

  before(async () => {
    pieces = await setUpPieces();
    await pieces.start('registry');
    await pieces.halt('registry');
    folder = pieces.otherHome;
    home = pieces.home;
    for (const name of ['rules', 'briefings']) {
      mkdirSync(join(home, name), { recursive: true });
      writeFileSync(join(home, name, 'one.md'), name);
    }
  });
  after(async () => {
    await pieces.stop();
    server?.remove();
  });

  const freshDatabase = async (name: string) => {
    server ??= await startPostgres();
    await server.execute('postgres', `create database ${name}`);
    return { MUSTER_DATABASE_URL: `postgres:///${name}?user=${superuser}&host=${server.socket}` };
  };

  /** Runs a command, and kills it before a change of files in a folder, if one is given. */
  const muster = (
    at: string,
    args: readonly string[],
    kill?: { readonly within: string; readonly change: number },
    settings: Readonly<Record<string, string>> = {},
  ) =>
    new Promise<CommandExit>((resolve) => {
      const env = {
        ...process.env,
        ...settings,
        MUSTER_HOME: at,
        ...(kill && { MUSTER_TEST_KILL_AT: String(kill.change), MUSTER_TEST_KILL_WITHIN: kill.within }),
      };
      execFile(process.execPath, ['--require', killAt, program, ...args], { env }, (error, _out, err) =>
        resolve({
          status: typeof error?.code === 'number' ? error.code : 0,
          isKilled: error?.signal === 'SIGKILL',
          err,
        }),
      );
    });

  const contentOf = (at: string) =>
    Object.fromEntries(
      contentsOf(at).map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(at, name)))
          .digest('hex'),
      ]),
    );

  /** Kills at one change after the other, until a command ends on its own; returns how many kills there were. */
  const killOften = async (one: (change: number) => Promise<boolean>): Promise<number> => {
    for (let change = 1, kills = 0; ; change += step, kills += 1) if (!(await one(change))) return kills;
  };

  it('during a backup leaves no file of its name, or a complete one', async () => {
    const file = join(folder, 'one.backup');
    const kills = await killOften(async (change) => {
      rmSync(file, { force: true });
      const { isKilled, status, err } = await muster(home, ['backup', file], {
        within: pieces.home.slice(0, -'/home'.length),
        change,
      });
      if (existsSync(file)) await readArchive({ path: file, passphrase: undefined });
      if (!isKilled) expect(status, err).to.equal(0);
      return isKilled;
    });
    expect(kills).to.be.above(1);
    expect(existsSync(file)).to.equal(true);
    expect(leftBehind(), 'after the one that was not killed').to.deep.equal([]);
  });

  it('during a backup leaves files that the next one removes, and only those', async () => {
    const tell = { within: folder, change: 2 };
    const { isKilled } = await muster(home, ['backup', join(folder, 'killed.backup')], tell);
    expect(isKilled).to.equal(true);
    expect(leftBehind(), 'the draft and the work folder').to.have.length(2);
    const dayAgo = Date.now() / 1_000 - 86_500;
    const [running, elsewhere, stale] = [`${hostname()}-${process.pid}`, 'elsewhere-1', 'elsewhere-2'].map(
      (process) => `one.backup.muster-part-${process}`,
    );
    for (const name of [running, elsewhere, stale, 'notes.part-1']) writeFileSync(join(folder, name ?? ''), '');
    utimesSync(join(folder, stale ?? ''), dayAgo, dayAgo);
    expect((await muster(home, ['backup', join(folder, 'next.backup')])).err).to.equal('');
    expect(leftBehind()).to.deep.equal([elsewhere, running].toSorted());
    expect(existsSync(join(folder, 'notes.part-1'))).to.equal(true);
    for (const name of leftBehind()) rmSync(join(folder, name));
  });

  it('leaves more than a refused restore, which leaves nothing', async () => {
    const file = join(folder, 'refused.backup');
    expect((await muster(home, ['backup', file])).err).to.equal('');
    const taken = await freshDatabase('taken');
    expect((await muster(join(folder, 'owner'), ['restore', file], undefined, taken)).err).to.equal('');
    const place = join(folder, 'refused');
    const away = { MUSTER_DATABASE_URL: `postgres:///taken?user=${superuser}&host=/nowhere` };
    for (const [settings, words] of [
      [taken, /already has tables of muster with other rows/],
      [away, /MUSTER_DATABASE_URL/],
    ] as const) {
      const { status, err } = await muster(place, ['restore', file], undefined, settings);
      expect(status).to.be.above(0);
      expect(err).to.match(words);
      expect(existsSync(place), `${err} leaves a state folder`).to.equal(false);
    }
  });

  for (const [database, test] of [
    ['SQLite', it],
    ['PostgreSQL', inSoak],
  ] as const)
    test(`during a restore to ${database} leaves nothing, everything, or a state that the same command completes`, async () => {
      const file = join(folder, `${database}.backup`);
      const made = await muster(home, ['backup', file]);
      expect(made.status, made.err).to.equal(0);
      const whole = contentOf(home);
      const states = new Set<string>();
      const kills = await killOften(async (change) => {
        const place = join(folder, `restored-${change}`);
        const settings = database === 'SQLite' ? {} : await freshDatabase(`restored_${change}`);
        const { isKilled, err } = await muster(place, ['restore', file], { within: place, change }, settings);
        if (!isKilled) expect(err).to.equal('');
        const state = stateOf(place);
        // That nothing was begun is the same at whichever change.
        const isKnown = state === 'nothing' && states.has(state) && !isSoak;
        states.add(state);
        if (isKnown) return isKilled;
        if (state !== 'all') {
          const again = await muster(place, ['restore', file], undefined, settings);
          expect(again, `after change ${change}`).to.deep.equal({ status: 0, isKilled: false, err: '' });
        }
        expect(contentOf(place)).to.deep.equal(whole);
        expect(existsSync(join(place, databaseEntry))).to.equal(database === 'SQLite');
        rmSync(place, { recursive: true });
        return isKilled;
      });
      expect(kills).to.be.above(1);
      expect([...states]).to.have.members(['nothing', 'part', 'all']);
    });

  /** The drafts and work folders of backups. */
  function leftBehind(): readonly string[] {
    return [folder, join(home, 'tmp')]
      .flatMap((place) => readdirSync(place))
      .filter((name) => name.includes('muster-part-'));
  }

  /** What a state folder has of an installation. muster does not start on a part of one. */
  function stateOf(place: string): 'nothing' | 'part' | 'all' {
    try {
      requireFinishedRestore(place);
    } catch {
      return 'part';
    }
    const hasAny = existsSync(join(place, databaseEntry)) || contentsOf(place).length > 0;
    return hasAny ? 'all' : 'nothing';
  }
});
