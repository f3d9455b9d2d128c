import { expect } from 'chai';
import { readDatabaseAddress } from '#store/postgres/database-address.ts';
import { inspectDatabase } from '#store/postgres/database-inspection.ts';
import { requireSuitable } from '#store/postgres/session-settings.ts';
import { makeAuthority } from '#test/support/certificates.ts';
import { failureOf } from '#test/support/failure.ts';
import { type PostgresServer, startPostgres } from '#test/support/postgres/postgres-server.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { findPort } from '#world/net/tcp-port.ts';

const suitable = {
  version: 140_000,
  encoding: 'UTF8',
  isStandby: false,
  isReadOnly: 'off',
  commit: 'on',
  schema: 'public',
  mayCreate: true,
  isolation: 'serializable',
};

describe('a database for muster', () => {
  let place: TemporaryFolder;
  let server: PostgresServer;
  let port: number;
  let trusted: string;
  let other: string;

  before(async () => {
    place = temporaryFolder('certificates');
    const authority = makeAuthority(place.path);
    trusted = `sslrootcert=${authority.cert}`;
    other = `sslrootcert=${makeAuthority(place.path, 'other').cert}`;
    const { cert, key } = authority.sign('server', 'DNS:localhost');
    const found = await findPort(['127.0.0.1'], 0);
    port = 'port' in found ? found.port : 0;
    server = await startPostgres({
      port,
      settings: ["listen_addresses = '127.0.0.1'", 'ssl = on'],
      admitted: ['local all all trust', 'hostssl all all all scram-sha-256'],
      files: { 'server.crt': cert, 'server.key': key },
    });
    await server.execute(
      'postgres',
      `create role ada login password 'hush'`,
      `create role guest login password 'hush'`,
      'create database fleet owner ada',
      `create database latin encoding 'LATIN1' locale 'C' template template0 owner ada`,
      'alter role guest set default_transaction_read_only = on',
    );
  });
  after(() => {
    server.remove();
    place.remove();
  });

  const look = (user: string, database: string, options: string, host = 'localhost') =>
    inspectDatabase(
      readDatabaseAddress(`postgres://${user}@${host}:${port}/${database}?${options}`, undefined),
      async () => undefined,
    );
  const refusal = async (...given: Parameters<typeof look>) => {
    const { reason, message } = await failureOf(() => look(...given));
    expect(message).to.contain('MUSTER_DATABASE_URL').and.not.to.contain('hush');
    return `${reason}: ${message}`;
  };

  it('passes over TLS with its authority', async () => {
    const { found } = await look('ada:hush', 'fleet', `sslmode=verify-full&${trusted}`);
    expect(found).to.match(/^the database fleet of ada at localhost:\d+: PostgreSQL \d+\.\d+, \d+ kB$/);
    await look('ada:hush', 'fleet', 'sslmode=require');
    await look('ada:hush', 'fleet', `sslmode=verify-ca&${trusted}`, '127.0.0.1');
  });

  it('is refused for another server’s certificate, or another name', async () => {
    expect(await refusal('ada:hush', 'fleet', 'sslmode=verify-full')).to.match(/^DATABASE_UNSUITABLE.*certificate/i);
    for (const mode of ['verify-full', 'verify-ca', 'require'])
      expect(await refusal('ada:hush', 'fleet', `sslmode=${mode}&${other}`)).to.match(/^DATABASE_UNSUITABLE/);
    const elsewhere = await refusal('ada:hush', 'fleet', `sslmode=verify-full&${trusted}`, '127.0.0.1');
    expect(elsewhere).to.match(/^DATABASE_UNSUITABLE.*ALTNAME/);
  });

  for (const [what, user, database, options, why] of [
    ['with a wrong password', 'ada:wrong', 'fleet', 'sslmode=require', /UNSUITABLE.*28P01/],
    ['without TLS that the server asks for', 'ada:hush', 'fleet', 'sslmode=disable', /UNSUITABLE.*28000/],
    ['if there is none of that name', 'ada:hush', 'none', 'sslmode=require', /UNSUITABLE.*3D000/],
    ['whose user may not make tables', 'guest:hush', 'fleet', 'sslmode=require', /READ_ONLY/],
    ['in another encoding', 'ada:hush', 'latin', 'sslmode=require', /UNSUITABLE.*LATIN1.*encoding 'UTF8'/],
  ] as const) {
    it(`is refused ${what}`, async () => expect(await refusal(user, database, options)).to.match(why));
  }

  it('is refused within the time limit if no server answers', async () => {
    const away = readDatabaseAddress('postgres://ada@127.0.0.1:1/fleet', undefined);
    expect((await failureOf(() => inspectDatabase(away, async () => undefined))).reason).to.equal(
      'DATABASE_UNAVAILABLE',
    );
  });

  for (const [what, differs, reason, why] of [
    ['too old', { version: 130_018 }, 'DATABASE_UNSUITABLE', 'run PostgreSQL 14 or newer'],
    ['a standby', { isStandby: true }, 'DATABASE_READ_ONLY', 'promote the server'],
    ['read-only', { isReadOnly: 'on' }, 'DATABASE_READ_ONLY', 'default_transaction_read_only'],
    ['not durable', { commit: 'off' }, 'DATABASE_UNSUITABLE', 'synchronous_commit'],
    ['without rights', { mayCreate: false }, 'DATABASE_UNSUITABLE', 'grant create on schema public'],
    ['in another schema', { schema: 'own' }, 'DATABASE_UNSUITABLE', 'set search_path = public'],
    ['without a schema', { schema: null, mayCreate: null }, 'DATABASE_UNSUITABLE', 'search_path'],
    ['not serializable', { isolation: 'read committed' }, 'DATABASE_UNSUITABLE', 'read committed'],
  ] as const) {
    it(`is refused if it is ${what}`, async () => {
      const failure = await failureOf(() => requireSuitable({ ...suitable, ...differs }, 'the database x'));
      expect(failure.reason).to.equal(reason);
      expect(failure.message).to.contain('the database x').and.to.contain(why).and.to.contain('MUSTER_DATABASE_URL');
    });
  }
});
