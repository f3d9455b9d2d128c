import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readArchive } from '#service/backup/archive.ts';
import { scheduledBackups } from '#service/backup/scheduled.ts';
import { readConfig } from '#service/config.ts';
import { moment } from '#test/support/moment.ts';
import { type Piece, type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { type PostgresServer, startPostgres, superuser } from '#test/support/postgres/postgres-server.ts';
import { isSoak } from '#test/support/soak.ts';

const oldest = 'muster-20200101T000000Z.backup';

for (const database of isSoak ? (['SQLite', 'PostgreSQL'] as const) : (['PostgreSQL'] as const)) {
  describe(`scheduled backups of an installation on ${database}`, () => {
    const settings: Record<string, string> = { MUSTER_BACKUP_EVERY: '1d', MUSTER_BACKUP_KEEP: '2' };
    let pieces: Pieces;
    let server: PostgresServer | undefined;
    let folder: string;

    before(async () => {
      if (database === 'PostgreSQL') {
        server = await startPostgres();
        await server.execute('postgres', 'create database first');
        settings['MUSTER_DATABASE_URL'] = `postgres:///first?user=${superuser}&host=${server.socket}`;
      }
      pieces = await setUpPieces(undefined, settings);
      folder = join(pieces.otherHome, 'backups');
      mkdirSync(folder);
      for (const name of [oldest, 'muster-20200102T000000Z.backup']) writeFileSync(join(folder, name), '');
      const passphraseFile = join(pieces.otherHome, 'passphrase');
      writeFileSync(passphraseFile, 'correct horse\n', { mode: 0o600 });
      Object.assign(settings, { MUSTER_BACKUP_FOLDER: folder, MUSTER_BACKUP_PASSPHRASE_FILE: passphraseFile });
    });
    after(async () => {
      await pieces.stop();
      server?.remove();
    });

    it('are made by one registry, encrypted and verified, and the oldest is removed', async () => {
      const started: Piece[] = server ? ['registry', 'otherRegistry', 'gateway'] : ['registry', 'gateway'];
      for (const piece of started) await pieces.start(piece);
      const { lastTakenAt } = await moment('a backup is on record', async () => {
        const { backups } = (await (await fetch(`${pieces.url}/readyz`)).json()) as {
          backups?: { ok: boolean; lastTakenAt?: string };
        };
        return backups?.ok && backups.lastTakenAt !== undefined ? backups : undefined;
      });
      const made = `muster-${lastTakenAt?.replaceAll(/[-:]|\.\d+/g, '')}.backup`;
      expect(readdirSync(folder)).to.deep.equal(['muster-20200102T000000Z.backup', made]);
      const { files } = await readArchive({ path: join(folder, made), passphrase: 'correct horse' });
      expect(files.map(({ name }) => name)).to.include.members(['muster.db', 'operator.token']);
    });

    it('report why one cannot be made, and leave nothing of a stopped one', async () => {
      const make = (place: string, signal: AbortSignal) =>
        scheduledBackups(readConfig({ ...settings, MUSTER_HOME: pieces.home, MUSTER_BACKUP_FOLDER: place }), {
          ...process.env,
          ...settings,
        })?.make(new Date(), signal);
      const nowhere = join(folder, 'nowhere');
      expect(await make(nowhere, new AbortController().signal)).to.deep.equal({
        why: `The folder ${nowhere} of the backup is missing: create it first`,
      });
      const stop = new AbortController();
      const before = readdirSync(folder);
      const making = make(folder, stop.signal);
      await moment('it has begun', () => readdirSync(join(pieces.home, 'tmp')).length > 0);
      stop.abort();
      expect(await making).to.have.property('why');
      expect(readdirSync(folder)).to.deep.equal(before);
    });
  });
}
