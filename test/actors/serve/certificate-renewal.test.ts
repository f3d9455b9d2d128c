import { expect } from 'chai';
import { CertificateRenewal } from '#actors/host/serve/certificate-renewal.ts';
import { Failure } from '#contract/failure.ts';
import type { OwnCertificates } from '#contract/joining/own-certificates.ts';
import type { Certificates } from '#contract/wire/host-joining.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TestTimer, testTimer } from '#test/support/test-timer.ts';

const hour = 60 * 60_000;
const renewed: Certificates = { host: 'host', gateway: 'gateway' };
const unreachable = new Failure('BUS_UNAVAILABLE', 'The bus cannot be reached');
const removed = new Failure('HOST_REMOVED', 'A person removed the host');

/** A certificate that is valid for a day from now, and the attempts to renew it. */
class RenewalScene {
  readonly clock: TestTimer = testTimer();
  readonly done: string[] = [];
  validity = { from: this.clock.now(), until: this.clock.now() + 24 * hour };
  /** How far the registry's clock is behind this machine's. */
  registryBehind = 0;
  /** What the bus and the gateway refuse a renewal with. */
  overBus: Failure | undefined;
  byProof: Failure | undefined;
  readonly renewal: CertificateRenewal;

  constructor() {
    const renew = (how: string) => {
      this.done.push(how);
      const now = this.clock.now() - this.registryBehind;
      this.validity = { from: now, until: now + 24 * hour };
    };
    const validity = () => this.validity;
    const certificates: OwnCertificates = {
      get validity() {
        return validity();
      },
      keep: () => renew('over the bus'),
      renewByProof: async () => {
        if (this.byProof !== undefined) throw this.byProof;
        renew('by proof');
      },
      end: ({ reason }) => void this.done.push(`ended: ${reason}`),
    };
    const onEnded = ({ reason }: Failure) => void this.done.push(`gave up: ${reason}`);
    this.renewal = new CertificateRenewal({ certificates, clock: this.clock, log: logProbe(), onEnded });
  }

  start(): void {
    this.renewal.start({
      renew: async () => {
        if (this.overBus !== undefined) throw this.overBus;
        return renewed;
      },
    });
  }
  /** Lets hours pass without each of their moments. */
  async sleep(hours: number): Promise<void> {
    this.validity = { from: this.validity.from - hours * hour, until: this.validity.until - hours * hour };
    await this.clock.pass(60_000);
  }
}

describe('the certificates of a host that has joined', () => {
  let played: RenewalScene;
  beforeEach(() => {
    played = new RenewalScene();
  });
  afterEach(() => played.renewal.stop());

  it('are renewed over the bus after two thirds of their validity, and repeatedly after that', async () => {
    played.start();
    await played.sleep(15.9);
    expect(played.done).to.deep.equal([]);
    await played.sleep(0.1);
    expect(played.done).to.deep.equal(['over the bus']);
    await played.sleep(15.9);
    await played.sleep(0.1);
    expect(played.done).to.deep.equal(['over the bus', 'over the bus']);
    expect(played.renewal.checks()).to.have.nested.property('0.outcome', 'ok');
  });

  it('are renewed through the gateway, by proof, if the bus is unreachable, and retried if both are', async () => {
    played.overBus = unreachable;
    played.byProof = new Failure('JOIN_UNREACHABLE', 'the gateway cannot be reached');
    played.start();
    await played.sleep(17);
    expect(played.renewal.checks()[0]).to.include({ outcome: 'warn' });
    expect(played.renewal.checks()[0]?.mend).to.include('the gateway cannot be reached');
    played.byProof = undefined;
    await played.clock.pass(10_100);
    expect(played.done).to.deep.equal(['by proof']);
    expect(played.renewal.checks()).to.have.nested.property('0.outcome', 'ok');
  });

  it('that expired during sleep are renewed before the host joins the bus, once the gateway answers', async () => {
    await played.renewal.prepare();
    expect(played.done, 'they are valid').to.deep.equal([]);
    await played.sleep(24);
    played.byProof = new Failure('JOIN_UNREACHABLE', 'the gateway cannot be reached');
    const prepared = played.renewal.prepare();
    await played.clock.pass(12_000);
    expect(played.done).to.deep.equal([]);
    played.byProof = undefined;
    await played.clock.pass(5_000);
    await prepared;
    expect(played.done).to.deep.equal(['by proof']);
  });

  it('end a removed host, running or starting, which reports why', async () => {
    played.byProof = removed;
    played.start();
    played.renewal.refused();
    await played.clock.pass(10);
    expect(played.done).to.deep.equal(['ended: HOST_REMOVED', 'gave up: HOST_REMOVED']);
    const other = new RenewalScene();
    other.byProof = removed;
    await other.sleep(25);
    expect((await failureOf(() => other.renewal.prepare())).reason).to.equal('HOST_REMOVED');
    expect(other.done).to.deep.equal(['ended: HOST_REMOVED']);
  });

  it('are renewed once, not endlessly, if the clock is more than their validity ahead of the registry’s', async () => {
    played.registryBehind = 30 * hour;
    await played.sleep(30);
    await played.renewal.prepare();
    expect(played.done).to.deep.equal(['by proof']);
    played.start();
    await played.clock.pass(600_000);
    expect(played.done).to.deep.equal(['by proof']);
    await played.sleep(16);
    expect(played.done).to.deep.equal(['by proof', 'over the bus']);
    // The clock is set right.
    played.registryBehind = 0;
    await played.sleep(-30);
    await played.sleep(17);
    expect(played.done).to.deep.equal(['by proof', 'over the bus', 'over the bus']);
  });

  it('that are valid but refused by the bus are renewed at once', async () => {
    played.start();
    await played.clock.pass(10);
    played.renewal.refused();
    await played.clock.pass(10);
    expect(played.done).to.deep.equal(['by proof']);
  });
});
