import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { installMs } from '#test/support/npm-package.ts';
import { claude } from './cli/claude.ts';
import { installedProgram } from './install.ts';
import { type Lab, startLab } from './lab.ts';

/** How long the model may wait to be asked, in milliseconds. */
const patience = 60_000;

describe('a question that the real Claude’s view of its agents covers', function () {
  this.timeout(180_000);
  let lab: Lab;

  before(async function () {
    this.timeout(installMs);
    lab = await startLab(claude, await installedProgram(claude.harness));
  });
  after(() => lab?.stop());

  it('is notified by its hook though its screen shows none', async () => {
    claude.trust?.(lab.home, lab.repository);
    const agent = await lab.launch('Say hello. #reply#', 'repository');
    await agent.until('IDLE');
    await agent.say('Make a file. #tool touch made-unseen#');
    await agent.until('THINKING');
    await moment('the model to be asked', () => lab.model.hold.size > 0, patience);
    await agent.press([{ on: /← for agents/, key: 'Left' }]);
    expect(await agent.until('UNCERTAIN agents')).to.deep.equal(['UNCERTAIN agents']);
    // The session goes on in the background, and asks its model again.
    const isCalled = () => {
      lab.model.hold.release();
      return lab.model.standing === 'called';
    };
    await moment('a call of the tool', isCalled, patience);
    await agent.untilItSays(claude.says?.asking);
    const doubt = /^UNCERTAIN disagreement, its screen shows UNCERTAIN \(agents\), its CLI says “/;
    await moment('its doubt', () => agent.untold.some((move) => doubt.test(move)), patience);
    expect(await agent.row()).to.include({ asksUnseen: true });
    await agent.press([{ on: /describe a task/, key: 'Right' }]);
    await agent.until('WAITING permission');
  });
});
