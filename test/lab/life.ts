import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { installMs } from '#test/support/npm-package.ts';
import { oneAfterAnother } from '#test/support/one-after-another.ts';
import type { LabCli } from './cli/definition.ts';
import { installedProgram } from './install.ts';
import { type Lab, startLab } from './lab.ts';
import type { LabAgent } from './lab-agent.ts';
import { isolation } from './muster.ts';
import { restoreOf } from './restore.ts';
import { shortAnswer } from './stub-model/script.ts';
import { patience, Turns } from './turns.ts';
import { workOf } from './work.ts';

/** Tests an agent's life with a real CLI. The cases are moments of one life: each continues from the one before. */
export function lifeWith(cli: LabCli): void {
  describe(`an agent on the real ${cli.harness}`, function () {
    this.timeout(180_000);
    let lab: Lab;
    let agent: LabAgent;
    let turns: Turns;
    const prompt = 'Find out why the login test is flaky. #think#';

    before(async function () {
      this.timeout(installMs);
      lab = await startLab(cli, await installedProgram(cli.harness));
      turns = new Turns(cli, lab.model);
    });
    oneAfterAnother();
    after(async () => {
      await lab?.stop();
      expect(lab?.model.faults).to.deep.equal([]);
    });

    it('is launched into a worktree, waits for trust if the folder is new, and is briefed once', async () => {
      agent = await lab.launch(prompt, 'worktree');
      if (cli.trust !== undefined) {
        expect(await agent.until('WAITING trust')).to.deep.equal(['SETTING_UP', 'WAITING trust']);
        expect(lab.model.requests).to.deep.equal([]);
        await agent.press(cli.trusting);
      }
      expect(await turns.untilAtWork(agent)).to.deep.equal(['SETTING_UP', 'THINKING']);
      await turns.untilLong(agent);
      await agent.untilItSays(cli.says?.working);
      await turns.finish(agent);
      await agent.untilItSays(cli.says?.done);
      expect(agent.screen()).to.include(shortAnswer);
      expect(lab.model.timesSent(prompt)).to.equal(1);
    });

    it('thinks as long as it writes, and as long as its model says nothing', async () => {
      await turns.prompt(agent, 'Write it down. #write#');
      await turns.untilLong(agent);
      await turns.finish(agent);
      await turns.prompt(agent, 'Mull it over. #wait#');
      await turns.untilAsked(agent);
      await turns.finish(agent);
    });

    it('rests once a person has interrupted it', async () => {
      await turns.prompt(agent, 'Write on and on. #write#');
      await turns.untilLong(agent);
      await agent.press(cli.interrupting);
      await turns.untilInterrupted(agent);
    });

    it('waits for permission to use a tool, and continues once a person has allowed it', async () => {
      const { cwd = '' } = await agent.row();
      const made = join(cwd, 'made-by-the-tool');
      await turns.prompt(agent, 'Make a file. #tool touch made-by-the-tool#');
      await turns.untilAsked(agent);
      lab.model.hold.release();
      await turns.untilPermission(agent);
      await agent.untilItSays(cli.says?.asking);
      await agent.untilItAsks('touch made-by-the-tool');
      expect(existsSync(made)).to.equal(false);
      await agent.press(cli.allowing);
      expect(await agent.until('THINKING')).to.deep.equal(['THINKING']);
      await turns.untilAsked(agent);
      expect(existsSync(made)).to.equal(true);
      await turns.finish(agent);
    });

    it('lets the person’s own hooks run beside those that report', async function () {
      if (cli.says === undefined) this.skip();
      await moment('the person’s own hook', () => lab.ranOwnHook(agent), patience);
    });

    it('is prompted, answered and interrupted by muster, which sees each taken', async () => {
      const made = join((await agent.row()).cwd ?? '', 'made-by-another-tool');
      await agent.prompt('Make another file. #tool touch made-by-another-tool#');
      expect(await turns.untilAtWork(agent)).to.deep.equal(['THINKING']);
      await turns.untilAsked(agent);
      lab.model.hold.release();
      await turns.untilPermission(agent);
      await agent.answer('Enter');
      expect(await agent.until('THINKING')).to.deep.equal(['THINKING']);
      await turns.untilAsked(agent);
      expect(existsSync(made)).to.equal(true);
      await turns.finish(agent);
      await agent.prompt('Write on once more. #write#');
      expect(await turns.untilAtWork(agent)).to.deep.equal(['THINKING']);
      await turns.untilLong(agent);
      await agent.interrupt();
      await turns.untilInterrupted(agent);
    });

    workOf(cli, () => ({ lab, agent, turns }));

    restoreOf(cli, () => ({ lab, agent, turns }), prompt);

    it('is set up and torn down by scripts that run where it runs itself', async () => {
      const place = isolation === 'none' ? 'outside\n' : 'inside\n';
      expect([lab.ranScript('setup'), lab.ranScript('teardown')]).to.deep.equal([place, '']);
      await agent.remove();
      expect(lab.ranScript('teardown')).to.equal(place);
    });

    it('takes a long briefing byte by byte, once, in a folder that is trusted', async function () {
      if (cli.conversation === 'of the folder') this.skip();
      const briefing = longBriefing();
      cli.trust?.(lab.home, lab.repository);
      agent = await lab.launch(briefing, 'repository');
      expect(await turns.untilAtWork(agent)).to.deep.equal(['SETTING_UP', 'THINKING']);
      await turns.untilAsked(agent);
      await turns.finish(agent);
      const sent = lab.model.lastTurn?.heard.map(({ text }) => text).join('\n');
      expect(lab.model.timesSent(cli.sends?.(briefing) ?? briefing), sent).to.equal(1);
    });
  });
}

/** Forty lines with everything that a terminal, a shell or tmux might change on the way. */
function longBriefing(): string {
  const odd = [
    'emoji 🧪 👩🏽‍💻 🇪🇺 and é as two code points: e\u0301',
    '漢字とかな 한국어 العربية',
    'quotes " \' ` and $HOME $(date) %s \\n \\\\ {a,b} ~ #{pane_id} #[bold]',
    '\tindented by a tab,   with   blanks   kept',
    'ends with a semicolon;',
    '',
    '- [ ] a list; 1. Yes 2. No',
    '```ts\nconst a = "x";\n```',
  ];
  const lines = Array.from({ length: 40 }, (_, at) => `${at + 1}. ${odd[at % odd.length]}`);
  return [...lines, 'And at last: #wait#;'].join('\n');
}
