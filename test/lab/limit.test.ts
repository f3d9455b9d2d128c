import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { installMs } from '#test/support/npm-package.ts';
import { oneAfterAnother } from '#test/support/one-after-another.ts';
import { claude } from './cli/claude.ts';
import { codex } from './cli/codex.ts';
import type { LabCli } from './cli/definition.ts';
import { installedProgram } from './install.ts';
import { type Lab, startLab } from './lab.ts';
import type { LabAgent } from './lab-agent.ts';
import { shortAnswer } from './stub-model/script.ts';

/** How long what is reported may take to come, in milliseconds; a limit ends within two minutes, and Claude waits longer. */
const [patience, limitMs] = [60_000, 300_000];
/** How long the limit lasts at least, in seconds. */
const limitSeconds = 45;

/** Claude Code with a subscription, whose limits have an end: a key has none. */
const subscribedClaude: LabCli = {
  ...claude,
  setUp(order) {
    const { ANTHROPIC_API_KEY: token = '', ...others } = claude.setUp(order);
    return { ...others, CLAUDE_CODE_OAUTH_TOKEN: token };
  },
};

for (const cli of [subscribedClaude, codex]) {
  describe(`a usage limit of the real ${cli.harness}`, function () {
    this.timeout(420_000);
    let lab: Lab;
    let other: LabAgent;
    let limited: LabAgent;
    const parkOf = async (agent: LabAgent) => (await agent.row()).park;
    before(async function () {
      this.timeout(installMs);
      lab = await startLab(cli, await installedProgram(cli.harness));
      const { workflowId } = lab;
      const request = { workflowId, onUsageLimit: 'ON_USAGE_LIMIT_RESUME' };
      await lab.call('workflow.v1.WorkflowService/UpdateWorkflow', request);
    });
    oneAfterAnother();
    after(async () => {
      await lab?.stop();
      expect(lab?.model.faults).to.deep.equal([]);
    });

    it('parks all agents of the account until the time that the screen shows', async () => {
      other = await lab.launch('Say hello. #reply#', 'worktree');
      await other.until('WAITING trust');
      await other.press(cli.trusting);
      await other.until('IDLE');
      // Whoever trusts one worktree trusts the repository.
      limited = await lab.launch(`Fix the flaky test. #limit ${limitSeconds}#`, 'worktree');
      for (const agent of [limited, other]) {
        const { until = '', reason } = await moment('it is parked', () => parkOf(agent), patience).catch(
          (error: Error) => {
            throw new Error(`${error.message}; the pane shows:\n${agent.screen()}`);
          },
        );
        expect(reason).to.equal('PARK_REASON_USAGE_LIMIT');
        // muster adds a little to the minute that the screen shows.
        expect(Date.parse(until)).to.be.within(lab.model.limitEnds ?? 0, (lab.model.limitEnds ?? 0) + 60_000);
      }
    });

    it('continues at that time what the limit stopped, once, and leaves the others alone', async () => {
      const before = lab.model.asked;
      await moment('the end of the work', () => limited.screen().includes(shortAnswer), limitMs);
      await moment('both to be free', async () => !(await parkOf(limited)) && !(await parkOf(other)), patience);
      const texts = lab.model.lastTurn?.heard.map(({ text }) => text) ?? [];
      const own = texts.filter((text) => text.startsWith('Your claude.ai usage limit has reset.'));
      expect(
        [own.length, texts.filter((text) => text === 'continue').length],
        'Claude Code continues by itself',
      ).to.deep.equal(cli === subscribedClaude ? [1, 0] : [0, 1]);
      const facts = await moment(
        'its turn to be finished',
        async () => {
          const request = { subjectId: limited.id, kinds: ['agent.waits', 'agent.finished'] };
          return (await lab.call<{ facts?: { kind: string }[] }>('fact.v1.FactService/ListFacts', request)).facts;
        },
        patience,
      );
      expect(facts.map(({ kind }) => kind)).to.deep.equal(['agent.finished']);
      expect(lab.model.asked - before).to.equal(1);
    });
  });
}
