import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Fact } from '#contract/fact/fact.ts';
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
  leftBehind: ['before-effect removeDeparted', 'after-effect removeDeparted'],
} as const;
/** The boundaries of a return: on the host that cannot set the agent up, and on the one that it returns to. */
const returnBoundaries = {
  entered: [
    'before-commit STEP_FAILED',
    'after-commit STEP_FAILED',
    'before-effect removeDeparted',
    'after-effect removeDeparted',
  ],
  left: ['before-effect dropPackage', 'after-effect dropPackage', ...around('openWindow', 'WINDOW_OPENED')],
} as const;
const parts = ['self', 'registry'] as const;

describe('a move with a kill at each boundary', function () {
  this.timeout(1_800_000);
  let two: TwoHosts;
  let id: string;
  let work: object;
  before(async () => {
    two = await startTwoHosts(
      (piece) => (piece === 'host' || piece === 'otherHost' ? [process.execPath, hostProgram] : ownProgram(piece)),
      { setup: 'true', teardown: 'true' },
    );
  });
  after(() => two?.stop());

  async function launch(title: string, workflowId?: string): Promise<void> {
    const { id: launched = '', cwd = '' } = await two.launch(title, 'true', workflowId);
    id = launched;
    leaveWork(cwd);
    work = workIn(cwd);
  }

  /** Begins a move during which the part dies at the moment, and starts the part again. */
  async function killDuring(move: object, piece: 'host' | 'otherHost', who: (typeof parts)[number], at: string) {
    const home = piece === 'host' ? two.home : two.otherHome;
    writeFileSync(join(home, 'trap'), `${who} ${at}`);
    await two.move(id, move);
    const killed = who === 'registry' ? 'registry' : piece;
    await two.ended(killed);
    await hasOneWindow();
    await two.start(killed);
    await moment('the move is over', async () => {
      await hasOneWindow();
      return (await two.agent(id)).movingTo === undefined;
    });
  }

  async function hasOneWindow(): Promise<void> {
    expect(await two.allWindows(), 'never two alive').to.have.length.at.most(1);
  }

  /** Waits until nothing of the agent is left on a host, and the host has reported that. */
  async function nothingLeft(home: string): Promise<void> {
    await moment('what it left is taken away', async () => {
      const left = join(home, 'worktrees');
      const folders = existsSync(left) ? readdirSync(left, { recursive: true, encoding: 'utf8' }) : [];
      return !folders.some((path) => path.endsWith('/tracked.txt'));
    });
    await moment('its package is gone', () => readdirSync(join(home, 'moves')).length === 0);
    // Only then it may move there again, and the next trap is not for this departure.
    await moment('the report', async () => {
      const asked = { subjectId: id, pageSize: 50 };
      const { facts = [] } = await two.call<{ facts?: Fact[] }>('fact.v1.FactService/ListFacts', asked);
      return facts.find(({ kind }) => kind === 'agent.moves' || kind === 'agent.left')?.kind === 'agent.left';
    });
  }

  describe('that arrives', () => {
    let isNear = true;
    before(() => launch('traveller'));
    after(async () => {
      await two.call('agent.v1.AgentService/DeleteAgent', { agentId: id, force: true });
      await moment('its window is gone', async () => (await two.allWindows()).length === 0);
    });

    for (const who of parts) {
      for (const where of ['left', 'entered', 'leftBehind'] as const) {
        for (const at of boundaries[where]) {
          it(`ends with the agent on the other host, once and complete: ${who} ${at}`, async () => {
            const piece = isNear === (where !== 'entered') ? 'host' : 'otherHost';
            const target = isNear ? { host: two.far, dir: two.clone } : { host: two.near, dir: two.repository };
            await killDuring(target, piece, who, at);
            const { cwd = '', failedMove } = await two.settled(id, target.host);
            expect(failedMove).to.equal(undefined);
            expect(workIn(cwd)).to.deep.equal(work);
            isNear = !isNear;
            await nothingLeft(isNear ? two.otherHome : two.home);
            expect(await two.windows(isNear ? 'near' : 'far')).to.deep.equal([id]);
            expect(await two.windows(isNear ? 'far' : 'near')).to.deep.equal([]);
          });
        }
      }
    }
  });

  describe('that the other host cannot set up', () => {
    before(async () => {
      const setup = `case "$PWD" in ${two.otherHome}*) exit 3;; esac`;
      await launch('returner', await two.addWorkflow('returning', { setup }));
    });

    for (const who of parts) {
      for (const where of ['entered', 'left'] as const) {
        for (const at of returnBoundaries[where]) {
          it(`ends with the agent on its former host, once and complete: ${who} ${at}`, async () => {
            await killDuring({}, where === 'left' ? 'host' : 'otherHost', who, at);
            const { cwd = '', failedMove } = await two.settled(id, two.near);
            expect(failedMove).to.contain('ended with 3');
            expect(workIn(cwd)).to.deep.equal(work);
            await nothingLeft(two.otherHome);
            expect(await two.windows('near')).to.deep.equal([id]);
            expect(await two.windows('far')).to.deep.equal([]);
            await moment('nothing is packed', () => readdirSync(join(two.home, 'moves')).length === 0);
          });
        }
      }
    }
  });
});
