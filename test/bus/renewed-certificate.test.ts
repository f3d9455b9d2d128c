import { certify, makeMemberKey } from '#bus/identity/bus-keys.ts';
import { moment } from '#test/support/moment.ts';
import { type NatsFixture, natsFixture } from './nats-fixture.ts';

describe('an expiring certificate for the bus', () => {
  let nats: NatsFixture;
  before(async () => {
    nats = await natsFixture();
  });
  after(() => nats.close());

  it('ends the connection, which returns with the renewed one; without one, the process gets the refusal', async () => {
    const { publicKey, seed } = makeMemberKey();
    const member = { kind: 'host', hostId: 'hst_1' } as const;
    const short = () => certify(nats.keys, member, publicKey, Math.floor(Date.now() / 1_000) + 2);
    let [jwt, refusals, returns] = [await short(), 0, 0];
    const bus = await nats.joinHost('hst_1', {
      credential: { jwt: () => jwt, seed },
      onRefused: () => (refusals += 1),
    });
    bus.onReconnect(() => (returns += 1));
    await moment('the bus to refuse what has ended', () => refusals > 0);
    // In the second in which the certificate ends, the bus may still accept it.
    const before = returns;
    jwt = await certify(nats.keys, member, publicKey);
    // The old one may be accepted in its last second; that connection ends as well.
    await moment('the connection to return, and to stay', () => returns > before && bus.connected);
  });
});
