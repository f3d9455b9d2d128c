import { Migration } from '@mikro-orm/migrations';
import { expect } from 'chai';
import { viewOf } from '#machines/agent/agent-view.ts';
import type { OpenDatabase } from '#store/database/engine.ts';
import { entities } from '#store/entities.ts';
import { migrations, release } from '#store/migrations/list.ts';
import { openStore } from '#store/store.ts';
import { testDatabase } from '#test/store/run-engine.ts';
import type { TestDatabase } from '#test/store/test-database.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { testClock } from '#test/support/test-clock.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

/** What a later release adds. */
class Labels extends Migration {
  override up(): void {
    this.addSql(`alter table "agent" add column "label" varchar(20) not null default ''`);
    this.addSql('alter table "mail" add column "label" varchar(20) null');
    this.addSql('create table "label" ("name" varchar(20) not null primary key)');
  }
}

describe('a database that a later release has expanded', () => {
  let folder: TemporaryFolder;
  let database: TestDatabase;
  let fixture: RegistryFixture | undefined;

  beforeEach(async () => {
    folder = temporaryFolder('expanded');
    database = await testDatabase(folder.path);
  });
  afterEach(async () => {
    await fixture?.close();
    fixture = undefined;
    folder.remove();
  });

  /** Opens the database as a later release does, whose migration has this name. */
  const openLater = async <T>(name: string, use: (open: OpenDatabase) => Promise<T>): Promise<T> => {
    const schema = { entities, migrations: [...migrations, { name, class: Labels }], release: '0.2' };
    const open = await database
      .engine()
      .open({ schema, rows: { isDone: async () => true, run: async () => {} }, onFault: () => {}, onUnsure: () => {} });
    return use(open).finally(() => open.close());
  };

  it('works with this release, and the later one reads this one’s rows', async () => {
    const name = `2099-01-01-labels@${release}`;
    await openLater(name, async () => {});
    fixture = await registryFixture({ database });
    const [{ id: from }, { id: to }] = [await fixture.create(), await fixture.create()];
    await fixture.call('SendMail', { agentId: to, body: 'Hello' }, { agentId: from });
    await fixture.restart();
    expect((await fixture.call<{ agents: object[] }>('ListAgents')).agents).to.have.length(2);
    const labels = await openLater(name, (open) =>
      open.read((em) => em.execute<{ label: string }[]>('select "label" from "agent"')),
    );
    expect(labels).to.deep.equal([{ label: '' }, { label: '' }]);
  });

  for (const name of [
    '2099-01-01-labels',
    '2099-01-01-labels@0.2',
    '2099-01-01-labels@1.0',
    '2099-01-01-labels@0.1x',
  ]) {
    it(`is refused if its migration is named ${name}`, async () => {
      await openLater(name, async () => {});
      const failure = await failureOf(() => openStore({ engine: database.engine(), clock: testClock(), viewOf }));
      expect(failure.reason).to.equal('NEWER_VERSION_REQUIRED');
      expect(failure.message).to.contain(name);
      await database.drop();
    });
  }

  it('is recognized by this release’s version', async () => {
    const { version } = (await import('../../../package.json', { with: { type: 'json' } })).default;
    expect(version).to.match(new RegExp(`^${release.replace('.', '\\.')}\\.\\d+$`));
    await database.drop();
  });
});
