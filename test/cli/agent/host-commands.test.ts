import { expect } from 'chai';
import type { Host } from '#contract/host/host.ts';
import { type Outcome, runInside } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleetService } from '../fleet.ts';

describe('muster host', () => {
  let service: FakeService;
  const muster = (...argv: string[]): Promise<Outcome> =>
    runInside(['host', ...argv], { env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't' }, tty: true });
  const [drain, update] = ['host.v1.HostService/DrainHost', 'host.v1.HostService/UpdateHost'] as const;
  const box: Host = { id: 'hst_1', name: 'box', state: 'HOST_STATE_ONLINE', agents: 3, agentsAtWork: 2 };
  beforeEach(async () => {
    service = await fleetService();
    service.on(drain, ({ undo = false }) => ({ host: { ...box, draining: !undo } }));
  });
  afterEach(() => service.close());

  it('cordons and uncordons a host, and reports how many agents stay on it', async () => {
    expect((await muster('cordon', 'box')).out).to.equal('box takes no new agents; 3 agents stay on it, 2 at work\n');
    expect((await muster('uncordon', 'box')).out).to.equal('box takes new agents\n');
    expect((await muster('drain', 'box')).out).to.equal('box takes no new agents; 3 agents stay on it, 2 at work\n');
    expect(service.requestsOf(drain)).to.deep.equal([
      { hostId: 'box' },
      { hostId: 'box', undo: true },
      { hostId: 'box' },
    ]);
  });

  it('waits until a drained host has no working agent, and ends at once if that is unknown', async () => {
    const left = [1, 0];
    const list = 'host.v1.HostService/ListHosts';
    service.on(list, () => ({ hosts: [{ ...box, draining: true, agentsAtWork: left.shift() ?? 0 }] }));
    const { code, out, err } = await muster('drain', 'box', '--wait');
    expect({ code, out }).to.deep.equal({
      code: 0,
      out: 'box takes no new agents; 3 agents stay on it, none at work\n',
    });
    expect(err).to.equal('box: 3 agents stay on it, 2 at work\nbox: 3 agents stay on it, 1 at work\n');
    const silent = { ...box, draining: true, state: 'HOST_STATE_LOST', seenAt: 'noon' } as const;
    service.on(drain, () => ({ host: silent }));
    const lost = await muster('drain', 'box', '--wait');
    expect(lost.code).to.equal(9);
    expect(lost.err).to.include('has been silent since noon');
    service.on(drain, () => ({ host: { ...box, draining: true } }));
    service.on(list, () => ({ hosts: [box] }));
    const undone = await muster('drain', 'box', '--wait');
    expect(undone.code).to.equal(6);
    expect(undone.err).to.include('takes new agents again');
  });

  it('sets labels, limits and patience, and resets them to their defaults', async () => {
    service.on(update, ({ hostId: _, setLabels = [], ...given }) => ({
      host: { ...box, labels: setLabels, maxLaunches: 16, maxSetups: 4, patienceSeconds: 300, ...clean(given) },
    }));
    expect((await muster('label', 'box', 'gpu=yes', 'zone-')).out).to.equal('box has gpu=yes\n');
    expect((await muster('limit', 'box', '--agents', '8', '--setups', 'default')).out).to.equal(
      'box takes at most 8 agents, 16 launches and 4 setup scripts at once\n',
    );
    expect((await muster('patience', 'box', '4h')).out).to.equal('box is lost after 14400 s of silence\n');
    expect((await muster('patience', 'box', 'default')).out).to.equal('box is lost after 300 s of silence\n');
    expect(service.requestsOf(update)).to.deep.equal([
      { hostId: 'box', setLabels: ['gpu=yes'], removeLabels: ['zone'] },
      { hostId: 'box', maxAgents: 8, clear: ['maxSetups'] },
      { hostId: 'box', patienceSeconds: 14_400 },
      { hostId: 'box', clear: ['patienceSeconds'] },
    ]);
    for (const wrong of [
      ['label', 'box', 'gpu'],
      ['limit', 'box'],
      ['limit', 'box', '--agents', '0'],
      ['patience', 'box', '4'],
    ])
      expect((await muster(...wrong)).code, wrong.join(' ')).to.equal(2);
    expect(service.requestsOf(update)).to.have.length(4);
  });
});

function clean({ clear: _, removeLabels: __, ...given }: Record<string, unknown>): Partial<Host> {
  return given;
}
