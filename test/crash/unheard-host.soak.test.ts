import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { layNetwork, layRelays, type Network, type RelayedNetwork } from '#test/support/network.ts';
import { ownProgram, type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { randomFrom } from '#test/support/random.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { findExecutable } from '#world/tmux/executable.ts';
import { bringUpTwoHosts, endure, hostsOf, type Outage, patienceSeconds, type Subject } from './two-hosts.ts';

/** The lengths of outages in milliseconds: a moment, longer than the silence that rows show, and past the patience. */
const lengths = { '5 s': 5_000, '38 s': 38_000, '60 s and past its patience': (patienceSeconds + 32) * 1_000 } as const;

describe('a host on a bad network', function () {
  this.timeout(300_000);
  let network: Network;
  let pieces: Pieces;
  let far: Subject;

  before(async () => {
    network = await layNetwork();
    pieces = await setUpPieces(network.programOf, {}, network.setUpBus);
    [, far] = await bringUpTwoHosts(pieces);
  });
  after(async () => {
    pieces?.signal('otherHost', 'SIGCONT');
    network?.mend('otherHost');
    await pieces?.stop();
    await network?.close();
  });

  const outages: Readonly<Record<string, Pick<Outage, 'begin' | 'end'>>> = {
    'is cut off': { begin: () => network.cut('otherHost'), end: () => network.mend('otherHost') },
    'is not heard': { begin: () => network.lose('otherHost', 'sent'), end: () => network.mend('otherHost') },
    'hears nothing': { begin: () => network.lose('otherHost', 'received'), end: () => network.mend('otherHost') },
    'is stopped': {
      begin: () => pieces.signal('otherHost', 'SIGSTOP'),
      end: () => pieces.signal('otherHost', 'SIGCONT'),
    },
  };
  for (const [what, outage] of Object.entries(outages)) {
    for (const [long, lastsMs] of Object.entries(lengths)) {
      it(`that ${what} for ${long} loses and doubles nothing`, () =>
        endure(pieces, far, `${what.split(' ').at(-1)} ${lastsMs / 1_000}`, { ...outage, lastsMs }));
    }
  }
});

/** 300 ms for each way and back, and of what is sent a twentieth is lost: TCP sends it again, and holds what follows. */
const [delayMs, lostShare, againMs] = [150, 0.05, 600] as const;

describe('a host on a slow network that loses packets', function () {
  this.timeout(300_000);
  let network: RelayedNetwork;
  let pieces: Pieces;
  let far: Subject;
  const random = randomFrom(7);
  const slow = () => network.slow('otherHost', () => delayMs + (random() < lostShare ? againMs : 0));

  before(async () => {
    network = await layRelays();
    pieces = await setUpPieces(network.programOf, {}, network.setUpBus);
    [, far] = await bringUpTwoHosts(pieces);
    slow();
  });
  after(async () => {
    await pieces?.stop();
    await network?.close();
  });

  it('works as on a fast one', async () => {
    for (const round of [1, 2, 3])
      await endure(pieces, far, `slow ${round}`, { begin: () => undefined, end: () => undefined, lastsMs: 2_000 });
    expect((await hostsOf(pieces)).map(({ state }) => state)).to.deep.equal(['HOST_STATE_ONLINE', 'HOST_STATE_ONLINE']);
  });

  it('loses and doubles nothing in a partition', async () => {
    const end = (): void => {
      network.mend('otherHost');
      slow();
    };
    for (const lastsMs of [5_000, 38_000])
      await endure(pieces, far, `slow, cut ${lastsMs / 1_000}`, {
        begin: () => network.cut('otherHost'),
        end,
        lastsMs,
      });
  });
});

/** The library that shows a program another time of day, where it is installed (`libfaketime`). */
function otherTimeLibrary(): string | undefined {
  const folders = ['/usr/lib', '/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/local/lib'];
  const all = folders.map((folder) => join(folder, 'faketime')).filter((folder) => existsSync(folder));
  return all
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .find((file) => /MT\.so\.1$/.test(file));
}

for (const hours of [1, -1] as const) {
  describe(`a host whose clock is ${hours > 0 ? 'an hour ahead' : 'an hour behind'}`, function () {
    this.timeout(300_000);
    let folder: TemporaryFolder;
    let network: Network;
    let pieces: Pieces;
    let far: Subject;
    const path = process.env['PATH'] ?? '';

    before(async function () {
      const library = otherTimeLibrary();
      if (library === undefined) return this.skip();
      folder = temporaryFolder('clock');
      const variables = [
        `LD_PRELOAD=${library}`,
        `FAKETIME=${hours > 0 ? '+' : '-'}3600`,
        'FAKETIME_DONT_FAKE_MONOTONIC=1',
      ];
      // The tmux of that machine has its clock too; agents and tmux do not inherit it from the host.
      const bin = join(folder.path, 'bin');
      mkdirSync(bin, { mode: 0o700 });
      const tmux = findExecutable('tmux') ?? '';
      writeFileSync(join(bin, 'tmux'), `#!/bin/sh\nexec env ${variables.join(' ')} ${tmux} "$@"\n`, { mode: 0o700 });
      network = await layRelays();
      pieces = await setUpPieces(
        (piece) =>
          piece === 'otherHost'
            ? ['env', ...variables, `PATH=${bin}:${path}`, ...ownProgram(piece)]
            : ownProgram(piece),
        {},
        network.setUpBus,
      );
      [, far] = await bringUpTwoHosts(pieces);
    });
    after(async () => {
      network?.mend('otherHost');
      await pieces?.stop();
      await network?.close();
      folder?.remove();
    });

    it('works, and its warning names the remedy', async () => {
      await endure(pieces, far, `${hours} h`, { begin: () => undefined, end: () => undefined, lastsMs: 2_000 });
      const host = await moment('the fault is shown', async () =>
        (await hostsOf(pieces)).find(
          ({ id, faults = [] }) => id === far.hostId && faults.some((one) => /clock/.test(one)),
        ),
      );
      expect(Number(host.clockOffsetMs) / 3_600_000).to.be.closeTo(hours, 0.01);
      expect(host.faults?.join()).to.contain('NTP');
    });

    it('becomes silent, lost and online like any other', async () => {
      for (const lastsMs of [5_000, 38_000])
        await endure(pieces, far, `${hours} h, cut ${lastsMs / 1_000}`, {
          begin: () => network.cut('otherHost'),
          end: () => network.mend('otherHost'),
          lastsMs,
        });
    });
  });
}
