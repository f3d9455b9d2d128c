import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { ownProgram } from '#test/support/pieces.ts';
import { leaveWork, startTwoHosts, type TwoHosts, workIn } from './two-hosts.ts';

const hostProgram = fileURLToPath(new URL('./host-process.ts', import.meta.url));
const around = (effect: string, result: string): string[] => [
  `before-effect ${effect}`,
  `after-effect ${effect}`,
  `before-commit ${result}`,
  `after-commit ${result}`,
];
/** The boundaries of a move: on the host that the agent leaves, and on the one that it moves to. */
const boundaries = {
  left: [...around('closePane', 'PANE_CLOSED'), ...around('packWork', 'PACKED')],
  entered: [
    ...around('unpackWork', 'UNPACKED'),
    ...around('runSetup', 'SETUP_DONE'),
    ...around('openWindow', 'WINDOW_OPENED'),
  ],
  leftBehind: ['before-effect takeAway', 'after-effect takeAway'],
} as const;

describe('a move of which a part is killed at each boundary', function () {
  this.timeout(1_800_000);
  let two: TwoHosts;
  let id: string;
  let work: object;
  let isNear = true;
  before(async () => {
    two = await startTwoHosts(
      (piece) => (piece === 'host' || piece === 'otherHost' ? [process.execPath, hostProgram] : ownProgram(piece)),
      { setup: 'true', teardown: 'true' },
    );
    const { id: launched = '', cwd = '' } = await two.launch('traveller');
    id = launched;
    leaveWork(cwd);
    work = workIn(cwd);
  });
  after(() => two?.stop());

  /** Moves the agent to the other host, while the part dies at the moment, and checks that it is there once and whole. */
  async function moveThrough(who: 'self' | 'registry', where: keyof typeof boundaries, at: string): Promise<void> {
    const isOnLeft = where !== 'entered';
    const piece = isNear === isOnLeft ? 'host' : 'otherHost';
    const home = piece === 'host' ? two.home : two.otherHome;
    writeFileSync(join(home, 'trap'), `${who} ${at}`);
    const target = isNear ? { host: two.far, dir: two.clone } : { host: two.near, dir: two.repository };
    await two.move(id, target);
    const killed = who === 'registry' ? 'registry' : piece;
    await two.ended(killed);
    await two.start(killed);
    const { cwd = '', failedMove } = await two.settled(id, target.host);
    expect(failedMove).to.equal(undefined);
    expect(workIn(cwd)).to.deep.equal(work);
    isNear = !isNear;
    await moment('what it left is taken away', async () => {
      const left = join(isNear ? two.otherHome : two.home, 'worktrees');
      const folders = existsSync(left) ? readdirSync(left, { recursive: true, encoding: 'utf8' }) : [];
      return !folders.some((path) => path.endsWith('/tracked.txt'));
    });
    expect(await two.windows(isNear ? 'near' : 'far')).to.deep.equal([id]);
    expect(await two.windows(isNear ? 'far' : 'near')).to.deep.equal([]);
    // It may return only once the host has reported that.
    await moment('the report', () => readdirSync(join(isNear ? two.otherHome : two.home, 'moves')).length === 0);
  }

  for (const who of ['self', 'registry'] as const) {
    for (const where of ['left', 'entered', 'leftBehind'] as const) {
      for (const at of boundaries[where]) {
        it(`ends with the agent on the other host, once and whole: ${who} ${at}`, () => moveThrough(who, where, at));
      }
    }
  }
});
