import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import { builtIn } from '#machines/harness/table.ts';
import { moment } from '#test/support/moment.ts';
import type { LabCli } from './cli/definition.ts';
import type { Lab } from './lab.ts';
import type { LabAgent } from './lab-agent.ts';
import { isolation } from './muster.ts';
import { shortAnswer } from './stub-model/script.ts';
import { callTool } from './tool-call.ts';
import { patience, type Turns } from './turns.ts';

/** What the cases of a life share. */
export interface Working {
  readonly lab: Lab;
  readonly agent: LabAgent;
  readonly turns: Turns;
}

/** Tests what an agent does for others: its commits, its mail, reviews of it, and children. */
export function workOf(cli: LabCli, working: () => Working): void {
  /** Codex runs commands in a login shell, which may find no more than the system's programs. */
  const finds = isolation !== 'none' || cli.harness !== 'codex';
  const hasTools = builtIn.find(cli.harness)?.tools !== undefined;
  /** Has a reviewer read the work and give a verdict; answers with what it was answered. */
  async function release(reviewer: LabAgent, verdict: string): Promise<string> {
    const { lab, turns } = working();
    if (!hasTools)
      return turns.run(reviewer, 'muster review diff | tail -1 && muster review release --verdict changes -m No');
    await callTool(lab.model, reviewer, 'get_review_diff', {});
    return callTool(lab.model, reviewer, 'release_review', { verdict, summary: 'Not yet.' });
  }

  it('commits with the person’s name, and pushes to a remote that it may reach', async () => {
    const { lab, agent, turns } = working();
    const push = `git push -q ${lab.remote.url} HEAD:refs/heads/done`;
    const printed = await turns.run(agent, `git add -A && git commit -q -m Work && ${push}`);
    expect(lab.remote.newestOn('done'), printed).to.equal('Ada Work');
    expect((await agent.row()).branch).to.match(/^muster\//);
  });

  it('is rung for mail, which it takes by muster’s tools and by its commands', async () => {
    const { lab, agent, turns } = working();
    const mail = (body: string) => () => lab.call('agent.v1.AgentService/SendMail', { agentId: agent.id, body });
    await turns.ring(agent, mail('By the first way.'));
    if (hasTools) expect(await callTool(lab.model, agent, 'take_mail', {})).to.include('By the first way.');
    else await turns.run(agent, 'muster mail take > taken-first 2>&1');
    await turns.ring(agent, mail('By the second way.'));
    const bin = finds ? '' : `${lab.programs}/`;
    await turns.run(agent, `${bin}muster mail take > taken 2>&1; ${bin}muster bell claim > /dev/null`);
    expect(inWorktree(await agent.row(), 'taken')).to.include('By the second way.');
  });

  it('has a reviewer beside it in the same surroundings, and hears its verdict', async () => {
    const { lab, agent, turns } = working();
    const reviewer = await lab.launch('Review it. #reply#', agent, { role: 'AGENT_ROLE_REVIEWER' });
    await turns.trust(reviewer);
    await reviewer.until('IDLE');
    const { isolation: ofReviewer } = await reviewer.row();
    expect(ofReviewer).to.equal((await agent.row()).isolation);
    const { cwd = '' } = await agent.row();
    // In a file, because a CLI may ask about each path that a command names.
    writeFileSync(join(cwd, 'look.sh'), `head -c 9 '${lab.tokenFile}'\ngit log -1 --format=%s\n`);
    await turns.run(reviewer, 'sh ./look.sh > seen-by-reviewer 2>&1');
    const seen = inWorktree(await agent.row(), 'seen-by-reviewer');
    expect(seen).to.match(isolation === 'none' ? /^\S{9}Work$/m : /No such file[\s\S]*^Work$/m);
    const verdict = 'REVIEW_VERDICT_CHANGES_REQUESTED';
    const printed = await release(reviewer, verdict);
    await moment('its verdict', async () => (await agent.listed()).localReviewVerdict === verdict, patience).catch(
      () => {
        throw new Error(`the verdict does not come: ${printed}`);
      },
    );
    await turns.untilRung(agent);
    await reviewer.remove();
  });

  it('saves its login, which becomes that of the person', async function () {
    const { lab, agent, turns } = working();
    const { login } = cli;
    if (login === undefined || !finds) this.skip();
    await turns.run(agent, login.renew);
    await moment('the person’s login', () => readFileSync(join(lab.home, login.file), 'utf8').includes(login.key));
  });

  it('is attached to by a person', async () => {
    const { lab, agent } = working();
    await lab.attachedTo(agent, shortAnswer.slice(0, 20));
  });
}

function inWorktree({ cwd = '' }: Agent, file: string): string {
  return readFileSync(join(cwd, file), 'utf8');
}
