import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { serveCalls } from '#actors/host/calls.ts';
import type { Host } from '#actors/host/host.ts';
import type { MoveRequests } from '#actors/host/move/move-requests.ts';
import type { ReviewRequests } from '#actors/host/review/review-requests.ts';
import type { RoomRequests } from '#actors/host/room/room-requests.ts';
import type { LaunchRequests } from '#actors/host/serve/launch-requests.ts';
import type { InputDriver } from '#actors/host/typing/input-driver.ts';
import type { Inspector } from '#actors/host/watch/inspector.ts';
import type { PaneHints } from '#actors/host/watch/pane-hints.ts';
import type { SetupTrials } from '#actors/host/workflow/setup-trials.ts';
import type { HostLine } from '#bus/host-line/host-line.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { TerminalsStandIn } from '../terminal-stand-in.ts';

describe('a host’s check of a directory', () => {
  let folder: TemporaryFolder;
  let ask: (path: string) => Promise<unknown>;
  beforeEach(async () => {
    folder = temporaryFolder('calls');
    let served: Parameters<HostLine['serve']>[1] = [];
    const line: Pick<HostLine, 'serve'> = {
      async serve(_service, endpoints) {
        served = endpoints;
        return { id: 'served', stop: async () => {} };
      },
    };
    const unasked = {
      host: {} as Host,
      inputDriver: {} as InputDriver,
      inspector: {} as Inspector,
      paneHints: {} as PaneHints,
      reviews: {} as ReviewRequests,
      trials: {} as SetupTrials,
      launches: {} as LaunchRequests,
      moves: {} as MoveRequests,
      room: {} as RoomRequests,
      sandboxes: { fault: async () => undefined },
      redactor: { text: (text: string) => text },
      terminals: new TerminalsStandIn(),
      examine: async () => [],
    };
    await serveCalls({ stateFolder: '/state', line, ...unasked });
    const endpoint = served.find(({ verb }) => verb === 'directory');
    ask = async (path) => endpoint?.handle({ path });
  });
  afterEach(() => folder.remove());

  it('reports whether worktrees can be made from it, also for a bare repository', async () => {
    const [plain, checkout, bare] = ['plain', 'checkout', 'bare.git'].map((name) => join(folder.path, name));
    for (const path of [plain, checkout, bare]) mkdirSync(path as string);
    execFileSync('git', ['init', '-q', '.'], { cwd: checkout });
    execFileSync('git', ['init', '-q', '--bare', '.'], { cwd: bare });
    mkdirSync(join(checkout as string, 'sub'));
    const isRepository = async (path = '') => ((await ask(path)) as { isRepository: boolean }).isRepository;
    expect(await isRepository(plain)).to.equal(false);
    expect(await isRepository(checkout)).to.equal(true);
    expect(await isRepository(join(checkout as string, 'sub'))).to.equal(true);
    expect(await isRepository(bare)).to.equal(true);
    expect(await ask(join(folder.path, 'gone'))).to.deep.include({ isDirectory: false, isRepository: false });
  });
});
