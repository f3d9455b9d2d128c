import { expect } from 'chai';
import { foundRuntime } from '#actors/host/isolation/runtimes.ts';
import { failureOf } from '#test/support/failure.ts';

describe('a runtime that a host lacks', () => {
  const order = { agentId: 'agt_a', image: '', variables: {}, programs: [], stateFolder: '/nowhere', environment: {} };
  for (const [runtime, what] of [
    [
      'sandbox',
      /^cannot be isolated: bwrap is not on the PATH of this host\. Install bubblewrap and socat, then retry$/,
    ],
    ['container', /^cannot run in a container: neither podman nor docker is on the PATH of this host\. Install podman/],
  ] as const) {
    (process.platform === 'linux' ? it : it.skip)(
      `fails the launch, and says what to install: ${runtime}`,
      async () => {
        const { reason, message } = await failureOf(async () => foundRuntime(runtime, '/nowhere', order));
        expect(reason).to.equal('ISOLATION_UNAVAILABLE');
        expect(message).to.match(what);
      },
    );
  }
});
