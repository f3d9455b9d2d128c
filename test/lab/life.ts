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
import { shortAnswer } from './stub-model/script.ts';

/** How many pieces a held answer says before it is taken for a long one: some seconds of work. */
const many = 40;
/** How long the model may wait to be asked, in milliseconds. */
const patience = 60_000;

/** Tests an agent's life with a real CLI. The cases are moments of one life: each continues from the one before. */
export function lifeWith(cli: LabCli): void {
  describe(`an agent on the real ${cli.harness}`, function () {
    this.timeout(180_000);
    let lab: Lab;
    let agent: LabAgent;
    const prompt = 'Find out why the login test is flaky. #think#';
    const inner = 'Look over its shoulder. #reply#';

    before(async function () {
      this.timeout(installMs);
      lab = await startLab(cli, await installedProgram(cli.harness));
    });
    oneAfterAnother();
    after(async () => {
      await lab?.stop();
      expect(lab?.model.faults).to.deep.equal([]);
    });

    /**
     * Waits until a held answer has said so much that the turn is a long one, through which the agent must not move.
     */
    const longTurn = async (): Promise<void> => {
      const from = lab.model.hold.said;
      await moment('a long turn', () => lab.model.hold.said > from + many, patience);
      expect(agent.untold).to.deep.equal([]);
    };
    const asked = (): Promise<boolean> => moment('the model to be asked', () => lab.model.hold.size > 0, patience);
    /**
     * Waits until it thinks. On a busy machine a CLI may show an empty composer, or half a frame, before it shows that
     * it works.
     */
    const atWork = async (): Promise<string[]> => {
      const moves = await agent.until('THINKING');
      return moves.filter((move) => !/^(IDLE|UNCERTAIN|UNCERTAIN transition)$/.test(move));
    };
    const prompted = async (text: string): Promise<void> => {
      await agent.say(text);
      expect(await atWork()).to.deep.equal(['THINKING']);
    };

    it('is launched into a worktree, waits for trust if the folder is new, and is briefed once', async () => {
      agent = await lab.launch(prompt, 'worktree');
      if (cli.trust !== undefined) {
        expect(await agent.until('WAITING trust')).to.deep.equal(['SETTING_UP', 'WAITING trust']);
        expect(lab.model.requests).to.deep.equal([]);
        await agent.press(cli.trusting);
      }
      expect(await atWork()).to.deep.equal(['SETTING_UP', 'THINKING']);
      await longTurn();
      await agent.untilItSays(cli.says.working);
      lab.model.hold.release();
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
      await agent.untilItSays(cli.says.done);
      expect(agent.screen()).to.include(shortAnswer);
      expect(lab.model.timesSent(prompt)).to.equal(1);
    });

    it('thinks as long as it writes, and as long as its model says nothing', async () => {
      await prompted('Write it down. #write#');
      await longTurn();
      lab.model.hold.release();
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
      await prompted('Mull it over. #wait#');
      await asked();
      lab.model.hold.release();
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
    });

    it('rests once a person has interrupted it', async () => {
      await prompted('Write on and on. #write#');
      await longTurn();
      await agent.press(cli.interrupting);
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
      await moment('the model to be let go', () => lab.model.hold.size === 0, patience);
    });

    it('waits for permission to use a tool, and continues once a person has allowed it', async () => {
      const { cwd = '' } = await agent.row();
      const made = join(cwd, 'made-by-the-tool');
      await prompted('Make a file. #tool touch made-by-the-tool#');
      await asked();
      lab.model.hold.release();
      expect(await agent.until('WAITING permission')).to.deep.equal(['WAITING permission']);
      await agent.untilItSays(cli.says.asking);
      await agent.untilItAsks('touch made-by-the-tool');
      expect(existsSync(made)).to.equal(false);
      await agent.press(cli.allowing);
      expect(await agent.until('THINKING')).to.deep.equal(['THINKING']);
      await asked();
      expect(existsSync(made)).to.equal(true);
      lab.model.hold.release();
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
    });

    it('lets the person’s own hooks run beside those that report', async () => {
      await moment('the person’s own hook', () => lab.ranOwnHook(agent), patience);
    });

    it('is prompted, answered and interrupted by muster, which sees each taken', async () => {
      const made = join((await agent.row()).cwd ?? '', 'made-by-another-tool');
      await agent.prompt('Make another file. #tool touch made-by-another-tool#');
      expect(await atWork()).to.deep.equal(['THINKING']);
      await asked();
      lab.model.hold.release();
      expect(await agent.until('WAITING permission')).to.deep.equal(['WAITING permission']);
      await agent.answer('Enter');
      expect(await agent.until('THINKING')).to.deep.equal(['THINKING']);
      await asked();
      expect(existsSync(made)).to.equal(true);
      lab.model.hold.release();
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
      await agent.prompt('Write on once more. #write#');
      expect(await atWork()).to.deep.equal(['THINKING']);
      await longTurn();
      await agent.interrupt();
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
      await moment('the model to be let go', () => lab.model.hold.size === 0, patience);
    });

    it('is archived, and restored with its own conversation, also if a newer one was held in its folder', async () => {
      const { sessionId } = await agent.row();
      expect(sessionId).to.be.a('string').and.not.to.equal('');
      const child = await lab.launch(inner, agent);
      // The answer that its parent got about the folder is in the parent’s own home.
      if (isolation !== 'none' && cli.trust !== undefined) {
        await child.until('WAITING trust');
        await child.press(cli.trusting);
      }
      await child.until('IDLE');
      await child.untilItSays(cli.says.done);
      expect((await child.row()).sessionId)
        .to.be.a('string')
        .and.not.to.equal(sessionId);
      await agent.archive();
      await agent.until('archived');
      const lastTurn = lab.model.lastTurn;
      await agent.restore();
      expect(await agent.until('IDLE')).to.include('UNCERTAIN resumed');
      // A CLI may rest on its first page for a moment, or show that it is at work, before it shows the conversation.
      await moment('its conversation', () => agent.screen().includes(shortAnswer), patience);
      expect(lab.model.lastTurn).to.equal(lastTurn);
      await prompted('Go on. #wait#');
      await asked();
      lab.model.hold.release();
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
      expect(lab.model.lastTurn?.heard).to.deep.include({ kind: 'text', text: prompt });
      expect(lab.model.lastTurn?.heard).not.to.deep.include({ kind: 'text', text: inner });
      await agent.untilItSays(cli.says.done);
      expect((await agent.row()).sessionId).to.equal(sessionId);
    });

    it('takes a long briefing byte by byte, once, in a folder that is trusted', async () => {
      const briefing = longBriefing();
      cli.trust?.(lab.home, lab.repository);
      agent = await lab.launch(briefing, 'repository');
      expect(await atWork()).to.deep.equal(['SETTING_UP', 'THINKING']);
      await asked();
      lab.model.hold.release();
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
      expect(lab.model.timesSent(cli.sends?.(briefing) ?? briefing)).to.equal(1);
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
