import { expect } from 'chai';
import { registryClient } from '#actors/host/agent/registry-journal.ts';
import { type HostLine, openHostLine } from '#bus/host-line/host-line.ts';
import { type KeyPair, makeKeyPair } from '#bus/seal/key-pair.ts';
import type { Holder } from '#contract/wire/host-greeting.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';

const folder: Holder = { machine: 'build-1', boot: 'a', folder: '1:2', path: '/var/muster' };
const elsewhere: Holder = { machine: 'build-2', boot: 'b', folder: '3:4', path: '/var/muster' };

/** The holder of a host's former key, with a session in progress while a person removes the key. */
describe('an attack with a session that began before its key was removed', () => {
  let fixture: RegistryFixture;
  const lines: HostLine[] = [];
  const [old, fresh] = [makeKeyPair(), makeKeyPair()];

  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(async () => {
    for (const line of lines.splice(0)) line.close();
    await fixture.close();
  });

  const come = async (key: KeyPair, holder: Holder) => {
    const line = openHostLine(await fixture.nats.joinHost('hst_two'), 'hst_two', key, { monotonic: () => 0, holder });
    lines.push(line);
    const registry = registryClient(line);
    return { line, beat: (name: string) => registry.beat({ hostId: 'hst_two', name, harnesses: [] }) };
  };
  const row = () => fixture.store.read(({ hosts }) => hosts.find('hst_two')) as Promise<StoredHost>;

  /**
   * Has a key forgotten while the database is busy, and something said that waits for it then. Gives what came of that.
   */
  async function forgetWhile(say: () => Promise<unknown>): Promise<unknown> {
    const { store } = fixture;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const held = store.write(() => {
      begin();
      return gate;
    });
    await begun;
    const waiting = () => store.figures().database.waiting;
    const before = waiting();
    const forgotten = fixture.call('ForgetHostKey', { hostId: 'hst_two' });
    await moment('the person to wait', () => waiting() > before);
    const amid = waiting();
    const said = say().catch((error: unknown) => error);
    await moment('what is said to wait', () => waiting() > amid);
    open();
    await Promise.all([held, forgotten]);
    return said;
  }

  it('binds nothing with a beat that is in progress, and does not return', async () => {
    const first = await come(old, folder);
    await first.beat('two');
    expect(await forgetWhile(() => first.beat('two again'))).to.have.property('code', 'unavailable');
    expect(await row()).to.include({ key: null, holder: null, name: 'two' });
    const second = await come(fresh, elsewhere);
    await second.beat('two');
    expect((await row()).key).to.equal(fresh.publicKey);
    expect((await failureOf(() => first.beat('two'))).code).to.equal('permission_denied');
    await second.beat('two');
  });

  it('does not take its host’s place during an outage', async () => {
    const first = await come(old, folder);
    await first.beat('two');
    fixture.clock.pass(31_000);
    await moment('it is lost', async () => (await row()).snapshot.value === 'lost');
    const here = () => first.line.ask('here', { cursor: '', holder: elsewhere, asksPermits: true }, 5_000);
    expect(await forgetWhile(here)).to.have.property('code', 'unavailable');
    expect(await row()).to.include({ key: null, holder: null });
  });

  it('ends if another key came first, and reports nothing before its row is its own', async () => {
    const [one, other] = [await come(old, folder), await come(fresh, folder)];
    for (const { line } of [one, other]) await line.ask('families', { families: [] }, 5_000);
    await other.beat('two');
    const foundTerminals = ['agt_forged'];
    const forged = () => one.line.ask('beat', { hostId: 'hst_two', name: 'two', harnesses: [], foundTerminals }, 5_000);
    expect((await failureOf(forged)).code).to.equal('permission_denied');
    const { hosts } = await fixture.call<{ hosts: { id: string; foundTerminals?: string[] }[] }>('ListHosts');
    expect(hosts.find(({ id }) => id === 'hst_two')).not.to.have.property('foundTerminals');
  });

  it('ends, and a later session of the intended host is accepted', async () => {
    const first = await come(old, folder);
    await first.beat('two');
    await fixture.call('ForgetHostKey', { hostId: 'hst_two' });
    await first.beat('two');
    expect((await row()).key).to.equal(old.publicKey);
  });
});
