import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import type { LabCli } from './cli/definition.ts';
import { installedProgram, installMs } from './install.ts';
import { type Lab, startLab } from './lab.ts';
import type { LabAgent } from './lab-agent.ts';
import { shortAnswer } from './stub-model/script.ts';

/** How many pieces a held answer says before it is taken for a long one: some seconds of work. */
const many = 40;
/** How long the model may wait to be asked, in milliseconds. */
const patience = 60_000;

/** Tests an agent's life with a real CLI. The cases are moments of one life: each goes on from the one before. */
export function lifeWith(cli: LabCli): void {
  describe(`an agent on the real ${cli.harness}`, function () {
    this.timeout(180_000);
    this.bail(true);
    let lab: Lab;
    let agent: LabAgent;
    const prompt = 'Find out why the login test is flaky. #think#';

    before(async function () {
      this.timeout(installMs);
      lab = await startLab(cli, await installedProgram(cli));
    });
    after(async () => {
      await lab?.stop();
      expect(lab?.model.faults).to.deep.equal([]);
    });

    /** Waits until a held answer has said so much that the turn is a long one, through which the agent must not move. */
    const longTurn = async (): Promise<void> => {
      const from = lab.model.hold.said;
      await moment('a long turn', () => lab.model.hold.said > from + many, patience);
      expect(agent.untold).to.deep.equal([]);
    };
    const asked = (): Promise<boolean> => moment('the model to be asked', () => lab.model.hold.size > 0, patience);
    /** Types a prompt. A CLI may show an empty composer for a moment before it shows that it works. */
    const prompted = async (text: string): Promise<void> => {
      await agent.say(text);
      const moves = await agent.until('THINKING');
      expect(moves[0] === 'IDLE' ? moves.slice(1) : moves).to.deep.equal(['THINKING']);
    };

    it('is launched into a worktree, waits for trust where the folder is new, and is briefed once', async () => {
      agent = await lab.launch(prompt, 'worktree');
      if (cli.trust !== undefined) {
        expect(await agent.until('WAITING trust')).to.deep.equal(['SETTING_UP', 'WAITING trust']);
        expect(lab.model.requests).to.deep.equal([]);
        await agent.press(cli.trusting);
      }
      expect(await agent.until('THINKING')).to.deep.equal(['SETTING_UP', 'THINKING']);
      await longTurn();
      lab.model.hold.release();
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
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

    it('waits for permission to use a tool, and goes on once a person has allowed it', async () => {
      const { cwd = '' } = await agent.row();
      const made = join(cwd, 'made-by-the-tool');
      await prompted('Make a file. #tool touch made-by-the-tool#');
      await asked();
      lab.model.hold.release();
      expect(await agent.until('WAITING permission')).to.deep.equal(['WAITING permission']);
      expect(existsSync(made)).to.equal(false);
      await agent.press(cli.allowing);
      expect(await agent.until('THINKING')).to.deep.equal(['THINKING']);
      await asked();
      expect(existsSync(made)).to.equal(true);
      lab.model.hold.release();
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
    });

    it('is archived, and restored with its own conversation', async () => {
      await agent.archive();
      await agent.until('archived');
      await agent.restore();
      expect(await agent.until('IDLE'))
        .to.include('UNCERTAIN resumed')
        .and.not.to.include('THINKING');
      // A CLI may rest on its first page for a moment before it shows the conversation.
      await moment('its conversation', () => agent.screen().includes(shortAnswer), patience);
      await prompted('Go on. #wait#');
      await asked();
      lab.model.hold.release();
      expect(await agent.until('IDLE')).to.deep.equal(['IDLE']);
      expect(lab.model.lastTurn?.heard).to.deep.include({ kind: 'text', text: prompt });
    });

    it('takes a long briefing byte by byte, once, in a folder that is trusted', async () => {
      const briefing = longBriefing();
      cli.trust?.(lab.home, lab.repository);
      agent = await lab.launch(briefing, 'repository');
      expect(await agent.until('THINKING')).to.deep.equal(['SETTING_UP', 'THINKING']);
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
