import { expect } from 'chai';
import { askedQuestion } from '#actors/host/reading/asked-question.ts';
import { builtIn } from '#machines/harness/table.ts';
import { asked, refusal, TypingStage } from './typing-stage.ts';

/** Draws a question of Claude Code, and another one in its place after a pause or a key. */
const dialogs = `
const draw = (command) => process.stdout.write('\\x1b[2J\\x1b[H' + ['─'.repeat(60), ' Bash command', '   ' + command, '',
  ' Do you want to proceed?', ' ❯ 1. Yes', '   2. No', '', ' Esc to cancel'].join('\\r\\n'));
process.stdin.setRawMode(true);
const [first, second, pause] = process.argv.slice(1);
draw(first);
process.stdin.on('data', (key) => { require('fs').appendFileSync('keys', JSON.stringify(String(key)) + '\\n'); draw(second); });
if (pause) require('fs').watch('.', (_, name) => name === 'now' && draw(second));
`;

describe('answering by rule', () => {
  let stage: TypingStage;
  beforeEach(() => {
    stage = new TypingStage();
  });
  afterEach(() => stage.end());

  const show = async (
    first: string,
    second: string,
    pause = '',
  ): Promise<{ screenDigest: string; questionDigest: string }> => {
    await stage.run([process.execPath, '-e', dialogs, first, second, pause], 'claude');
    const seen = await stage.shows('AGENT_STATE_WAITING');
    const question = askedQuestion(builtIn, seen);
    expect(question?.question).to.include({ command: first, whole: true });
    return { screenDigest: seen.screenDigest, questionDigest: question?.digest ?? '' };
  };
  const answer = (bound: { screenDigest: string; questionDigest: string }) =>
    stage.inputDriver.answer(asked, { ...bound, text: '', keys: ['1'] });

  it('takes the choice of the question that it was decided on, once it has stood still', async () => {
    const bound = await show('git status', 'rm -rf x');
    const began = performance.now();
    expect(await answer(bound)).to.include({ sameQuestion: false });
    expect(performance.now() - began).to.be.at.least(780);
    expect(stage.logged('keys')).to.deep.equal(['1']);
  });

  it('presses nothing at the next question, nor at one that differs by a character', async () => {
    const bound = await show('git status', 'git status;');
    await answer(bound);
    expect(await refusal(answer(bound))).to.match(/^(?:aborted|failed_precondition): /);
    const now = await stage.shows('AGENT_STATE_WAITING');
    const faked = { screenDigest: now.screenDigest, questionDigest: bound.questionDigest };
    expect(await refusal(answer(faked))).to.match(/^aborted: /);
    expect(stage.logged('keys')).to.deep.equal(['1']);
  });

  for (const order of ['a rule, then a person', 'a person, then a rule'] as const)
    it(`presses the key of exactly one who answers at the same time: ${order}`, async () => {
      const bound = await show('git status', 'rm -rf x');
      const byPerson = () =>
        stage.inputDriver.answer(asked, { screenDigest: bound.screenDigest, text: '', keys: ['2'] });
      const answers = order === 'a rule, then a person' ? [answer(bound), byPerson()] : [byPerson(), answer(bound)];
      const settled = await Promise.allSettled(answers);
      expect(settled.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
      expect(stage.logged('keys')).to.have.length(1);
    });

  it('presses nothing if the question changes while it must stand still', async () => {
    const bound = await show('git status', 'rm -rf x', 'pause');
    const answering = refusal(answer(bound));
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${stage.folder.path}/now`, '');
    expect(await answering).to.match(/^aborted: /);
    expect(stage.logged('keys')).to.deep.equal([]);
  });
});
