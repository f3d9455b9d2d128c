import { layNetwork, type Network } from '#test/support/network.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { bringUpTwoHosts, endure, type Subject } from './two-hosts.ts';

/** `unheard-host.soak.test.ts` has the other outages. */
describe('a host that is silent for a while', function () {
  this.timeout(180_000);
  let network: Network;
  let pieces: Pieces;
  let near: Subject;
  let far: Subject;

  before(async () => {
    network = await layNetwork();
    pieces = await setUpPieces(network.programOf, {}, network.setUpBus);
    [near, far] = await bringUpTwoHosts(pieces);
  });
  after(async () => {
    pieces?.signal('host', 'SIGCONT');
    network?.mend('otherHost');
    await pieces?.stop();
    await network?.close();
  });

  it('loses and doubles nothing in an outage of seconds', () =>
    endure(pieces, far, 'cut for 5 s', {
      begin: () => network.cut('otherHost'),
      end: () => network.mend('otherHost'),
      lastsMs: 5_000,
    }));

  it('types nothing from that time if its packets are lost or it is suspended, and rows show it', () =>
    Promise.all([
      endure(pieces, far, 'one way', {
        begin: () => network.lose('otherHost', 'sent'),
        end: () => network.mend('otherHost'),
        lastsMs: 38_000,
      }),
      endure(pieces, near, 'stopped', {
        begin: () => pieces.signal('host', 'SIGSTOP'),
        end: () => pieces.signal('host', 'SIGCONT'),
        lastsMs: 38_000,
      }),
    ]).then(() => undefined));
});
