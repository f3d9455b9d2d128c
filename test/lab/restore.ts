import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import type { LabCli } from './cli/definition.ts';
import { shortAnswer } from './stub-model/script.ts';
import { patience } from './turns.ts';
import type { Working } from './work.ts';

/** Tests that an agent is restored with the conversation that it had. */
export function restoreOf(cli: LabCli, working: () => Working, prompt: string): void {
  const isOwn = cli.conversation === undefined;
  const inner = 'Look over its shoulder. #reply#';

  it('is archived, and restored with its own conversation, also if a newer one was held in its folder', async () => {
    const { lab, agent, turns } = working();
    const { sessionId } = await agent.row();
    if (isOwn) {
      expect(sessionId).to.be.a('string').and.not.to.equal('');
      const child = await lab.launch(inner, agent);
      await turns.trust(child);
      await child.until('IDLE');
      await child.untilItSays(cli.says?.done);
      expect((await child.row()).sessionId)
        .to.be.a('string')
        .and.not.to.equal(sessionId);
    }
    await agent.archive();
    await agent.until('archived');
    const { lastTurn } = lab.model;
    await agent.restore();
    expect(await agent.until('IDLE')).to.include('UNCERTAIN resumed');
    // A CLI may show that it is at work before it shows the conversation.
    await moment('its conversation', () => agent.screen().includes(shortAnswer), patience);
    expect(lab.model.lastTurn).to.equal(lastTurn);
    expect(agent.untold, 'it rests once').to.deep.equal([]);
    // A prompt that muster types right then does not stay behind as a draft.
    await agent.prompt('Go on. #wait#');
    expect(await turns.untilAtWork(agent)).to.deep.equal(['THINKING']);
    await turns.untilAsked(agent);
    await turns.finish(agent);
    expect([lab.model.hasHeard(prompt), lab.model.hasHeard(inner)]).to.deep.equal([true, false]);
    await agent.untilItSays(cli.says?.done);
    if (isOwn) expect((await agent.row()).sessionId).to.equal(sessionId);
  });
}
