import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { silent } from '#test/actors/actor-fixture.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { AgentLogins } from '#world/isolation/login/agent-logins.ts';
import { type PrivateFolder, privateFolderOf } from '#world/isolation/private-home.ts';

/** Renews a login again and again: with each renewal, its time is a later one. */
const renewer = `
const { workerData: { path, count, turn, inPlace, rounds } } = require('node:worker_threads');
const { renameSync, writeFileSync } = require('node:fs');
const start = Date.now();
for (let round = 0; round < rounds; round += 1) {
  while (Atomics.compareExchange(turn, 0, 0, 1) === 1) Atomics.wait(turn, 0, 1);
  const number = Atomics.add(count, 0, 1) + 1;
  const text = JSON.stringify({ token: 'renewal ' + number, expiry_date: start + 3600000 + number * 60000 });
  if (inPlace) writeFileSync(path, text);
  else { writeFileSync(path + '.new', text); renameSync(path + '.new', path); }
  Atomics.store(turn, 0, 0);
  Atomics.notify(turn, 0);
  const seen = Atomics.load(count, 0);
  // The others have their turn first.
  Atomics.wait(count, 0, seen, 5);
}`;

describe('the login of isolated agents', () => {
  let folder: TemporaryFolder;
  let own: string;
  let logins: AgentLogins;
  beforeEach(() => {
    folder = temporaryFolder('logins');
    own = join(folder.path, 'person', '.codex', 'auth.json');
    mkdirSync(dirname(own), { recursive: true });
    write(own, 'first');
    logins = new AgentLogins({ log: silent });
  });
  afterEach(() => {
    logins.stop();
    folder.remove();
  });

  /** Replaces a file, as CLIs do. */
  function write(path: string, token: string): void {
    writeFileSync(`${path}.new`, JSON.stringify({ token }));
    renameSync(`${path}.new`, path);
  }
  const token = (path: string) => /"token":"([^"]*)"/.exec(readFileSync(path, 'utf8'))?.[1];
  const privateOf = (id: string): PrivateFolder => privateFolderOf(join(folder.path, 'sandboxes'), id);
  const copyOf = (id: string) => join(privateOf(id).home, '.codex', basename(own));
  async function place(id: string): Promise<string> {
    const at = privateOf(id);
    mkdirSync(at.home, { recursive: true });
    await logins.place(id, at, [{ own, copy: copyOf(id) }]);
    return copyOf(id);
  }
  const becomes = (expected: string, ...paths: string[]) =>
    moment(`the login to be ${expected}`, () => paths.every((path) => token(path) === expected));

  it('is carried to the person and to each other agent, whoever has renewed it', async () => {
    const [one, other] = [await place('one'), await place('other')];
    expect([token(one), token(other)]).to.deep.equal(['first', 'first']);
    write(one, 'second');
    await becomes('second', own, other);
    write(other, 'third');
    await becomes('third', own, one);
    write(own, 'fourth');
    await becomes('fourth', one, other);
  });

  it('is the person’s also if that file is the older one, such as a saved one that was put back', async () => {
    const one = await place('one');
    write(`${own}.saved`, 'saved');
    utimesSync(`${own}.saved`, 0, 0);
    renameSync(`${own}.saved`, own);
    await becomes('saved', one);
  });

  it('is not lost if it is renewed or replaced while no host runs', async () => {
    const one = await place('one');
    logins.stop();
    write(one, 'renewed');
    logins = new AgentLogins({ log: silent });
    await logins.keep('one', privateOf('one'));
    expect([token(own), token(one)]).to.deep.equal(['renewed', 'renewed']);
    logins.stop();
    write(own, 'other account');
    utimesSync(own, 0, 0);
    logins = new AgentLogins({ log: silent });
    await logins.keep('one', privateOf('one'));
    expect(token(one)).to.equal('other account');
  });

  it('is passed on to the last, and no copy stays with an agent that is archived', async () => {
    const one = await place('one');
    write(one, 'last');
    await logins.forget('one');
    expect([token(own), existsSync(one)]).to.deep.equal(['last', false]);
    expect(token(await place('one'))).to.equal('last');
  });

  it('reaches the others although one agent has a folder in its place, which goes with the archive', async () => {
    const [one, other] = [await place('one'), await place('other')];
    rmSync(one);
    mkdirSync(join(one, 'in the way'), { recursive: true });
    write(own, 'second');
    await becomes('second', other);
    await logins.forget('one');
    expect(existsSync(one)).to.equal(false);
  });

  it('is placed again at the next start of an agent whose CLI removed it', async () => {
    const one = await place('one');
    rmSync(one);
    await place('one');
    expect(token(one)).to.equal('first');
  });

  it('is carried byte by byte, and from where a link of the person leads', async () => {
    const real = join(folder.path, 'dotfiles', 'auth.encrypted');
    mkdirSync(dirname(real));
    writeFileSync(real, Buffer.from([0xff, 0xfe, 1]));
    own = join(dirname(own), 'auth.encrypted');
    symlinkSync(real, own);
    const one = await place('one');
    expect([...readFileSync(one)]).to.deep.equal([0xff, 0xfe, 1]);
    writeFileSync(real, Buffer.from([0xff, 2]));
    await moment('it is carried', () => readFileSync(one).equals(Buffer.from([0xff, 2])));
    // The host is just about to look, at a file that does not say whether it is written to the end.
    writeFileSync(one, Buffer.from([0xff, 3]));
    await moment('it is carried back', () => readFileSync(real).equals(Buffer.from([0xff, 3])));
  });

  it('is placed again if a power failure left half a record of it', async () => {
    const one = await place('one');
    logins.stop();
    for (const half of ['', '[{']) {
      writeFileSync(join(privateOf('one').root, 'logins.json'), half);
      rmSync(one);
      expect(token(await place('one'))).to.equal('first');
    }
  });

  it('is not brought back once the person has signed out', async () => {
    const [one, other] = [await place('one'), await place('other')];
    rmSync(own);
    write(one, 'renewed');
    await logins.forget('one');
    expect([existsSync(own), token(other)]).to.deep.equal([false, 'first']);
  });

  it('is neither read nor written through a link of an agent, and half a file of one counts for nothing', async () => {
    const [one, other] = [await place('one'), await place('other')];
    const outside = join(folder.path, 'outside');
    mkdirSync(outside);
    write(join(outside, 'auth.json'), 'planted');
    rmSync(dirname(one), { recursive: true });
    symlinkSync(outside, dirname(one));
    rmSync(other);
    symlinkSync(join(outside, 'auth.json'), other);
    write(own, 'second');
    await moment('the link to be replaced', () => token(other) === 'second');
    expect(token(join(outside, 'auth.json'))).to.equal('planted');
    await logins.forget('one');
    await place('one');
    expect([token(own), token(join(outside, 'auth.json'))]).to.deep.equal(['second', 'planted']);
    writeFileSync(other, '{"token":"ha');
    write(own, 'third');
    await becomes('third', other);
  });

  /** Writes a login as it is, without replacing its file. */
  const put = (path: string, login: object) => writeFileSync(path, JSON.stringify(login));
  const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
  const same = (login: object, ...paths: string[]) =>
    moment('all to be the same', () => paths.every((path) => isDeepStrictEqual(read(path), login)));

  it('is the newest after many renewals by several writers at once, in place and by new files', async () => {
    const copies = [own, await place('one'), await place('other'), await place('third')];
    const counter = () => new Int32Array(new SharedArrayBuffer(4));
    const [count, turn] = [counter(), counter()];
    const writers = copies.map((path, index) => {
      const workerData = { path, count, turn, inPlace: index % 2 === 0, rounds: 60 };
      return once(new Worker(renewer, { eval: true, workerData }), 'exit');
    });
    await Promise.all(writers);
    await moment('all to hold the last renewal', () => copies.every((path) => token(path) === `renewal ${count[0]}`));
  });

  it('is not taken back by an agent that writes what it read before the renewal', async () => {
    const at = (time: number) => ({ claudeAiOauth: { token: `of ${time}`, expiresAt: Date.now() + time * 1e6 } });
    const [old, renewed] = [at(1), at(2)];
    put(own, old);
    const [one, other] = [await place('one'), await place('other')];
    put(other, renewed);
    await same(renewed, own, one);
    put(one, { ...old, mcpOAuth: { clientId: 'x' } });
    await same({ mcpOAuth: { clientId: 'x' }, ...renewed }, own, one, other);
  });

  it('keeps what two agents renewed of two providers in the same moment', async () => {
    const provider = (name: string, expires: number) => ({ type: 'oauth', access: `${name} ${expires}`, expires });
    const base = { a: provider('a', 2e12), b: provider('b', 2e12), c: { type: 'api', key: 'k' } };
    const expires = Date.now() + 1e8;
    put(own, { ...base, a: provider('a', 1e12), b: provider('b', 1e12) });
    const [one, other] = [await place('one'), await place('other')];
    put(one, { ...base, a: provider('a', expires), b: provider('b', 1e12) });
    put(other, { ...base, a: provider('a', 1e12), b: provider('b', expires) });
    const both = { c: base.c, a: provider('a', expires), b: provider('b', expires) };
    await same(both, own, one, other);
  });

  it('is a new one also if it names no time any more, an earlier one, or has another form', async () => {
    const far = Date.now() + 300 * 86_400_000;
    const revoked = { type: 'oauth', refresh: 'revoked', expires: far };
    const other = { type: 'api', key: 'of another provider' };
    const renewed = [
      { type: 'api', key: 'new' },
      { ...revoked, refresh: 'new', expires: 0 },
      { ...revoked, refresh: 'new', expires: Date.now() + 8 * 3_600_000 },
      'new',
    ];
    const [one, two] = [await place('one'), await place('other')];
    for (const anthropic of renewed) {
      put(own, { anthropic: revoked, z: other });
      await same({ anthropic: revoked, z: other }, one, two);
      put(one, { anthropic, z: other });
      await same({ anthropic, z: other }, own, two);
    }
    put(one, { token: 'new', expires: far });
    await same({ token: 'new', expires: far }, own, two);
  });

  it('has of each provider what the person signed in to, or signed out of, last', async () => {
    const provider = (refresh: string, hours: number) => ({ refresh, expires: Date.now() + hours * 3_600_000 });
    const [a, b, c] = [provider('a', 9), provider('b', 9), provider('c', 9)];
    put(own, { a, b, z: { key: 'k' } });
    const [one, other] = [await place('one'), await place('other')];
    put(own, { a: { ...a, expires: 0, refresh: 'new' }, z: { key: 'k' } });
    put(one, { a, b: { ...b, refresh: 'again' }, c, z: { key: 'k' } });
    await same({ a: { ...a, expires: 0, refresh: 'new' }, c, z: { key: 'k' } }, own, one, other);
  });

  it('keeps the newest of two agents that renewed while no host ran, whichever is looked at first', async () => {
    const [one, other] = [await place('one'), await place('other')];
    logins.stop();
    write(other, 'later');
    write(one, 'earlier');
    utimesSync(one, 1000, 1000);
    utimesSync(other, 2000, 2000);
    logins = new AgentLogins({ log: silent });
    await logins.keep('one', privateOf('one'));
    await logins.keep('other', privateOf('other'));
    expect([own, one, other].map(token)).to.deep.equal(['later', 'later', 'later']);
  });

  it('is left to a writer that is just writing it', async () => {
    const [one, other] = [await place('one'), await place('other')];
    writeFileSync(one, '{"token":"ren');
    write(own, 'second');
    await becomes('second', other);
    put(one, { token: 'renewed' });
    await becomes('renewed', own, other);
  });
});
