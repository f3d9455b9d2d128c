import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces, setUpPlainBus } from '#test/support/pieces.ts';

const program = fileURLToPath(new URL('../../../bin/muster.mjs', import.meta.url));

/** What a command did. */
interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

describe('muster probe', () => {
  let pieces: Pieces;
  let busUrl = '';
  let keys: string;

  before(async () => {
    pieces = await setUpPieces(undefined, {}, async (run) => {
      const setup = await setUpPlainBus(run);
      keys = join(run, 'bus.keys');
      return { ...setup, addressOf: (url) => (busUrl = url) };
    });
    for (const piece of ['registry', 'gateway'] as const) await pieces.start(piece);
  });
  after(() => pieces.stop());

  const probe = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
    new Promise((resolve) => {
      const env = {
        ...process.env,
        MUSTER_HOME: pieces.home,
        MUSTER_PORT: new URL(pieces.url).port,
        MUSTER_BUS_URL: busUrl,
        MUSTER_BUS_KEYS: keys,
        ...more,
      };
      execFile(process.execPath, [program, 'probe', ...args], { env }, (error, out, err) =>
        resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
    });
  const well = { status: 0, out: '', err: '' };
  const refused = async (words: RegExp, ...given: Parameters<typeof probe>) => {
    const { status, out, err } = await probe(...given);
    expect(err).to.match(words);
    expect({ status, out }).to.deep.equal({ status: 1, out: '' });
  };

  it('is silent while the process with these settings answers', async () => {
    expect(await probe(['registry'])).to.deep.equal(well);
    expect(await probe(['gateway'])).to.deep.equal(well);
  });

  it('rejects another registry', async () => {
    await refused(/The registry of .*other does not answer on the bus/, ['registry'], {
      MUSTER_HOME: pieces.otherHome,
    });
  });

  it('reports that the bus is down, and that its keys are missing', async () => {
    await refused(/was not joined within/, ['registry'], { MUSTER_BUS_URL: 'nats://127.0.0.1:1' });
    await refused(/The keys of the bus are missing/, ['registry'], { MUSTER_BUS_KEYS: `${keys}.2` });
    writeFileSync(`${keys}.2`, '{}', { mode: 0o600 });
    await refused(/has no keys of a bus/, ['registry'], { MUSTER_BUS_KEYS: `${keys}.2` });
  });

  it('detects a hung registry, and a gateway without one', async () => {
    pieces.signal('registry', 'SIGSTOP');
    try {
      await refused(/does not answer on the bus/, ['registry']);
      await refused(/not ready \(HTTP 503\).*"registry":\{"ok":false/s, ['gateway']);
    } finally {
      pieces.signal('registry', 'SIGCONT');
    }
    expect(await moment('the registry answers', async () => (await probe(['registry'])).status === 0)).to.equal(true);
  });

  it('detects an ended process', async () => {
    await pieces.kill('registry');
    await refused(/does not answer on the bus/, ['registry']);
    await pieces.kill('gateway');
    await refused(/The gateway does not answer at .*ECONNREFUSED/, ['gateway']);
    await refused(/MUSTER_PORT is 0/, ['gateway'], { MUSTER_PORT: '0' });
  });

  it('prints its usage', async () => {
    for (const args of [[], ['host'], ['registry', 'gateway']]) {
      const { status, err } = await probe(args);
      expect(err).to.equal('Usage: muster probe registry|gateway\n');
      expect(status).to.equal(2);
    }
  });
});
