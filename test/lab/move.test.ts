import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { leaveWork, windowsIn, workIn } from '#test/move/two-hosts.ts';
import { gitIn } from '#test/support/git-in.ts';
import { moment } from '#test/support/moment.ts';
import { installMs } from '#test/support/npm-package.ts';
import { oneAfterAnother } from '#test/support/one-after-another.ts';
import { claude } from './cli/claude.ts';
import { codex } from './cli/codex.ts';
import { type FarHost, joinFarHost } from './far-host.ts';
import { installedProgram } from './install.ts';
import { type Lab, startLab } from './lab.ts';
import type { LabAgent } from './lab-agent.ts';
import { isolation } from './muster.ts';
import { shortAnswer } from './stub-model/script.ts';

/** How large the largest file is that moves, in bytes. */
const largeBytes = 20 * 1024 * 1024;
const [prompt, second, third] = ['Remember the heron. #reply#', 'What was it? #reply#', 'And where? #wait#'] as const;

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

    const move = (host: string, dir: string) =>
      lab.call('agent.v1.AgentService/MoveAgent', { agentId: agent.id, host, dir });
    /** Its only window must be on a host. */
    const hasOneWindow = async (host: string): Promise<void> => {
      const windows = { [far.near]: await windowsIn(lab.state), [far.id]: await windowsIn(far.state) };
      expect(windows).to.deep.equal({ [far.near]: [], [far.id]: [], [host]: [agent.id] });
    };
    /** Has it work on a prompt; its model must have heard all prompts, and the first one once. */
    const hasHeard = async (...prompts: readonly string[]): Promise<void> => {
      await moment('its conversation', () => agent.screen().includes(shortAnswer));
      await agent.prompt(prompts.at(-1) ?? '');
      await agent.until('THINKING');
      await agent.until('IDLE');
      expect(prompts.filter((text) => !lab.model.hasHeard(text))).to.deep.equal([]);
      expect(lab.model.timesSent(prompts[0] ?? '')).to.equal(1);
      await agent.untilItSays(cli.says?.done);
    };

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
      await move(far.id, far.clone);
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
      await hasOneWindow(far.id);
      expect(lab.model.asked, 'nothing is asked anew').to.equal(asked);
    });

    it('continues the same conversation there', () => hasHeard(prompt, second));

    it('returns once it is at rest, with what was said there', async () => {
      const { cwd: left = '', sessionId } = await agent.row();
      const [work, huge] = [workIn(left), digestOf(left)];
      await agent.prompt(third);
      await moment('the model to be asked', () => lab.model.hold.size > 0);
      await move(far.near, lab.repository);
      expect((await agent.row()).stateReason).to.match(/moves to .+ once it is at rest$/);
      lab.model.hold.release();
      const resumes = () => agent.untold.find((step) => step.endsWith('its conversation is being resumed there'));
      await agent.until(await moment('it resumes', resumes));
      agent.movedTo(lab.state);
      // The answer of an isolated agent was in its own home, which it left.
      if (isolation !== 'none') {
        await agent.until('WAITING trust');
        await agent.press(cli.trusting);
      }
      await agent.until('IDLE');
      const { cwd = '', ...back } = await agent.row();
      expect([back.hostId, back.sessionId, back.failedMove]).to.deep.equal([far.near, sessionId, undefined]);
      expect([workIn(cwd), digestOf(cwd)]).to.deep.equal([work, huge]);
      await moment('what it left is gone', () => !existsSync(left));
      await hasOneWindow(far.near);
      await hasHeard(prompt, second, third, 'And when? #reply#');
    });
  });
}

function digestOf(worktree: string): string {
  return createHash('sha256')
    .update(readFileSync(join(worktree, 'huge.bin')))
    .digest('hex');
}
