import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { databaseAddress } from '#actors/registry/configured-database.ts';
import { Failure } from '#contract/failure.ts';
import { nameOfDatabase, readDatabaseAddress, serversOf } from '#store/postgres/database-address.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('MUSTER_DATABASE_URL', () => {
  const read = (text: string) => readDatabaseAddress(text, undefined);
  const refusal = (text: string): string => {
    try {
      read(text);
    } catch (error) {
      if (error instanceof Failure && error.reason === 'INVALID_SETTING') return error.message;
      throw error;
    }
    throw new Error(`${text} was accepted`);
  };

  it('names a server, a user and a database in libpq’s syntax', () => {
    const address = read('postgresql://ada:p%40ss@db.example:6543/fl%65et?sslmode=disable');
    const { host, port, user, password, database, tls } = address;
    expect({ host, port, user, password, database, tls }).to.deep.equal({
      host: 'db.example',
      port: 6543,
      user: 'ada',
      password: 'p@ss',
      database: 'fleet',
      tls: undefined,
    });
    expect(nameOfDatabase(address)).to.equal('the database fleet of ada at db.example:6543');
  });

  it('names the folder of a socket, as the host or in the query, and both kinds of addresses', () => {
    expect(read('postgres://ada@%2Frun%2Fpg/x').host).to.equal('/run/pg');
    const behind = read('postgres:///x?host=/run/pg&user=ada');
    expect(nameOfDatabase(behind)).to.equal('the database x of ada at the socket in /run/pg');
    expect(read('postgres://ada@[::1]:5432/x').host).to.equal('::1');
  });

  it('names several servers, by name or by socket folder', () => {
    const address = read('postgres://ada@db-1.example:6543,127.0.0.1,[::1]:7000/x');
    expect(serversOf(address).map(({ host, port, tls }) => [host, port, tls !== undefined])).to.deep.equal([
      ['db-1.example', 6543, true],
      ['127.0.0.1', 5432, false],
      ['::1', 7000, false],
    ]);
    expect(nameOfDatabase(address)).to.contain('db-1.example:6543 or 127.0.0.1:5432 or ');
    const sockets = read('postgres:///x?host=/run/a,/run/b&user=ada');
    expect(serversOf(sockets).map(({ host }) => host)).to.deep.equal(['/run/a', '/run/b']);
  });

  it('checks the certificate over a network by default, and none on this machine', () => {
    expect(read('postgres://ada@db.example/x').tls?.rejectUnauthorized).to.equal(true);
    expect(read('postgres://ada@127.0.0.1/x').tls).to.equal(undefined);
    expect(read('postgres://ada@localhost/x').tls).to.equal(undefined);
    expect(read('postgres:///x?host=/run/pg&user=ada').tls).to.equal(undefined);
    const anyName = read('postgres://ada@db.example/x?sslmode=verify-ca').tls;
    expect(anyName?.rejectUnauthorized).to.equal(true);
    expect(read('postgres://ada@db.example/x?sslmode=require').tls?.rejectUnauthorized).to.equal(false);
  });

  for (const [text, why] of [
    ['', 'must be an address such as'],
    ['mysql://ada@db.example/x', 'must be an address such as'],
    ['postgres://ada@db.example', 'names no database'],
    ['postgres://ada@db.example/x/y', 'names no database'],
    ['postgres:///x', 'names no server'],
    ['postgres:///x?host=/run/a,&user=ada', 'names no server'],
    ['postgres://ada@h1,/x', 'must be an address such as'],
    ['postgres://ada@h1:1,h2:y/x', 'must be an address such as'],
    ['postgres://db.example/x', 'names no user'],
    ['postgres://ada@db.example/x?sslmode=prefer', 'which an attacker on the network can turn off'],
    ['postgres://ada@db.example/x?sslmode=on', 'has sslmode=on: it must be one of disable'],
    ['postgres://ada@db.example/x?options=-c', 'has "options", which muster does not know'],
    ['postgres://ada@db.example/x?sslrootcert=', 'has sslrootcert without a value'],
    ['postgres://ada@db.example/x?sslrootcert=/no/such.pem', 'has sslrootcert=/no/such.pem, which cannot be read'],
  ] as const) {
    it(`is refused as ${text || 'nothing'}: it ${why}`, () => {
      expect(refusal(text))
        .to.match(/^MUSTER_DATABASE_URL /)
        .and.to.contain(why);
    });
  }

  it('is never shown with its password', () => {
    for (const text of ['mysql://ada:hush@h/x', 'postgres://ada:hush@h', 'postgres://ada:hush@h/x?y=1'])
      expect(refusal(text)).not.to.contain('hush');
    expect(nameOfDatabase(read('postgres://ada:hush@h/x'))).not.to.contain('hush');
  });

  describe('with a password in a file', () => {
    let place: TemporaryFolder;
    beforeEach(() => {
      place = temporaryFolder('password');
    });
    afterEach(() => place.remove());

    const address = (databaseUrl: string | undefined, text?: string, mode = 0o600) => {
      const file = join(place.path, 'password');
      if (text !== undefined) writeFileSync(file, text, { mode });
      return databaseAddress({ home: place.path, databaseUrl, databasePasswordFile: file });
    };

    it('is read without the final newline', () => {
      expect(address('postgres://ada@h/x', ' hush \n')?.password).to.equal(' hush ');
    });

    it('is refused if it is missing, empty or open to others, or if the address has one too', () => {
      const url = 'postgres://ada@h/x';
      expect(() => address(url)).to.throw('which is missing: write the password there');
      expect(() => address(url, '\n')).to.throw('which is empty');
      expect(() => address('postgres://ada:other@h/x', 'hush')).to.throw('names another one');
      expect(() => address(undefined, 'hush')).to.throw('MUSTER_DATABASE_URL is unset');
    });

    it('is refused if others may read the file', () => {
      expect(() => address('postgres://ada@h/x', 'hush', 0o644))
        .to.throw(Failure)
        .with.property('code', 'failed_precondition');
    });
  });
});
