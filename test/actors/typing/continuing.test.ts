import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { TypingStage } from './typing-stage.ts';

const agentId = 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB';

describe('asking an agent to continue after a limit', () => {
  let stage: TypingStage;
  beforeEach(async () => {
    stage = new TypingStage();
    stage.park = { reason: 'usage', since: 0, resume: true };
    await stage.open('limited');
  });
  afterEach(() => stage.end());

  const resume = () => stage.inputDriver.resumeWork(agentId, 'agt/3/0');
  const reasonOf = async (work: Promise<unknown>) => (await failureOf(() => work)).reason;

  it('types one prompt, and none for the same request again', async () => {
    expect((await stage.sight())?.limit?.kind).to.equal('usage');
    await resume();
    expect(stage.logged('submitted')).to.deep.equal(['continue']);
    expect(stage.told.at(-1)?.type).to.equal('PROMPTED');
    await resume();
    expect(stage.logged('submitted')).to.deep.equal(['continue']);
  });

  it('submits the prompt that a crash has left in the composer', async () => {
    await stage.terminal.paste(stage.pane.paneId, 'continue', 'continue:agt/3/0:pasted');
    await stage.shows('AGENT_STATE_UNCERTAIN');
    await resume();
    expect(stage.logged('submitted')).to.deep.equal(['continue']);
  });

  it('leaves a draft of a person alone', async () => {
    await stage.terminal.type(stage.pane.paneId, 'my own words');
    await stage.shows('AGENT_STATE_UNCERTAIN');
    expect(await reasonOf(resume())).to.equal('SCREEN_UNCLEAR');
    await stage.terminal.paste(stage.pane.paneId, ' and more', 'continue:agt/3/0:pasted');
    expect(await reasonOf(resume())).to.equal('DRAFT_IN_COMPOSER');
    expect(stage.logged('submitted')).to.deep.equal([]);
  });

  it('types nothing while a person holds it, and never for a look', async () => {
    stage.heldAtRegistry = 1;
    expect(await reasonOf(resume())).to.equal('AGENT_HELD');
    await stage.inputDriver.look(agentId);
    expect(stage.logged('submitted')).to.deep.equal([]);
    expect(stage.told).to.have.length(1);
  });
});
