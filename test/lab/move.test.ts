import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { gitIn, leaveWork, windowsIn, workIn } from '#test/move/two-hosts.ts';
import { moment } from '#test/support/moment.ts';
import { installMs } from '#test/support/npm-package.ts';
import { oneAfterAnother } from '#test/support/one-after-another.ts';
import { claude } from './cli/claude.ts';
import { codex } from './cli/codex.ts';
import { type FarHost, joinFarHost } from './far-host.ts';
import { installedProgram } from './install.ts';
import { type Lab, startLab } from './lab.ts';
import type { LabAgent } from './lab-agent.ts';
import { shortAnswer } from './stub-model/script.ts';

/** How large the largest file is that moves, in bytes. */
const largeBytes = 20 * 1024 * 1024;
const prompt = 'Remember the heron. #reply#';

for (const cli of [claude, codex]) {
  describe(`a move of an agent on the real ${cli.harness}`, function () {
    this.timeout(180_000);
    let lab: Lab;
    let far: FarHost;
    let agent: LabAgent;
    before(async function () {
      this.timeout(installMs);
      const program = await installedProgram(cli.harness);
      lab = await startLab(cli, program);
      far = await joinFarHost(lab, cli, program);
    });
    oneAfterAnother();
    after(async () => {
      // A host removes what is there of it, so it must run.
      await agent?.remove();
      await far?.stop();
      await lab?.stop();
      expect(lab?.model.faults).to.deep.equal([]);
    });

    it('brings its uncommitted, untracked and large files, and leaves one window', async () => {
      agent = await lab.launch(prompt, 'worktree', { host: far.near });
      await agent.until('WAITING trust');
      await agent.press(cli.trusting);
      await agent.until('IDLE');
      await agent.untilItSays(cli.says?.done);
      const { cwd: left = '', sessionId } = await agent.row();
      leaveWork(left);
      appendFileSync(join(left, 'committed.txt'), 'and changed\n');
      writeFileSync(join(left, 'huge.bin'), randomBytes(largeBytes));
      const [work, huge] = [workIn(left), digestOf(left)];
      const { asked } = lab.model;
      await lab.call('agent.v1.AgentService/MoveAgent', { agentId: agent.id, host: far.id, dir: far.clone });
      agent.movedTo(far.state);
      // Its folder there is new to the CLI, which asks as at a launch.
      await agent.until('WAITING trust');
      await agent.press(cli.trusting);
      await agent.until('IDLE');
      const { cwd = '', ...there } = await agent.row();
      expect([there.hostId, there.sessionId, there.failedMove]).to.deep.equal([far.id, sessionId, undefined]);
      expect(cwd.startsWith(far.state), cwd).to.equal(true);
      expect(workIn(cwd)).to.deep.equal(work);
      expect(digestOf(cwd)).to.equal(huge);
      await moment('what it left is gone', () => !existsSync(left));
      await moment('its branch there is gone', () => !gitIn(lab.repository, 'branch').includes('muster/'));
      const windows = [await windowsIn(dirname(lab.tokenFile)), await windowsIn(far.state)];
      expect(windows).to.deep.equal([[], [agent.id]]);
      expect(lab.model.asked, 'nothing is asked anew').to.equal(asked);
    });

    it('continues the same conversation there', async () => {
      await moment('its conversation', () => agent.screen().includes(shortAnswer));
      await agent.prompt('What was it? #reply#');
      await agent.until('THINKING');
      await agent.until('IDLE');
      const heard = [prompt, 'What was it? #reply#'].map((text) => lab.model.hasHeard(text));
      expect(heard).to.deep.equal([true, true]);
      expect(lab.model.timesSent(prompt)).to.equal(1);
    });
  });
}

function digestOf(worktree: string): string {
  return createHash('sha256')
    .update(readFileSync(join(worktree, 'huge.bin')))
    .digest('hex');
}
