import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import { exitedRule } from '#contract/pane/reading.ts';
import { type PromptScreen, promptRefusal } from '#machines/agent/prompting.ts';
import { refusalWith } from '#test/support/failure.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleetService } from '../fleet.ts';

const path = 'agent.v1.AgentService';
const shown = (state: PromptScreen['reading']['state'], reason = '', rule = ''): PromptScreen => ({
  reading: { state, rule, reason },
  inMode: false,
  takesMeanwhile: false,
});
const digest = '0123456789abcdef'.repeat(4);

describe('commands that steer an agent', () => {
  let service: FakeService;
  let lead: string;
  const muster = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' }, ...setting });

  beforeEach(async () => {
    service = await fleetService();
    const { out } = await muster(['show', 'lead', '-o', 'json']);
    lead = (JSON.parse(out) as { agent: { id: string } }).agent.id;
    const agent = { id: lead, name: 'lead', alive: true, state: 'AGENT_STATE_THINKING' } as const;
    service.on(`${path}/PromptAgent`, () => ({ agent }));
    service.on(`${path}/InterruptAgent`, () => ({ agent: { ...agent, state: 'AGENT_STATE_IDLE' as const } }));
    service.on(`${path}/AnswerAgent`, () => ({ agent }));
    service.on(`${path}/ReadPane`, () => ({
      screen: { text: '\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\u0007\n\n' },
      screenDigest: digest,
      reading: { state: 'AGENT_STATE_WAITING' as const, reason: 'permission' },
    }));
  });
  afterEach(() => service.close());

  it('types a prompt, also from standard input and from a file with @@', async () => {
    expect((await muster(['prompt', 'lead', 'go on'], { tty: true })).out).to.equal('lead: THINKING\n');
    await muster(['prompt', 'lead', '-'], { stdin: 'one\ntwo\n' });
    await muster(['prompt', 'lead', '@@home']);
    expect(service.requestsOf(`${path}/PromptAgent`)).to.deep.equal([
      { agentId: lead, prompt: 'go on' },
      { agentId: lead, prompt: 'one\ntwo' },
      { agentId: lead, prompt: '@home' },
    ]);
  });

  it('refuses a file that is not text, rather than to change it', async () => {
    const folder = temporaryFolder('not-text');
    writeFileSync(join(folder.path, 'bytes'), Buffer.from('bad \xff bytes', 'latin1'));
    expect(await muster(['prompt', 'lead', '@bytes'], { cwd: folder.path })).to.include({
      code: 2,
      err: 'the prompt (bytes) is not text in UTF-8: give a text\n',
    });
    folder.remove();
    expect(service.requestsOf(`${path}/PromptAgent`)).to.deep.equal([]);
  });

  it('reports why nothing was typed, and exits with 6', async () => {
    service.on(`${path}/PromptAgent`, () => {
      throw refusalWith('failed_precondition', 'Nothing was typed for agent "lead": it waits');
    });
    const { code, err } = await muster(['prompt', 'lead', 'go on']);
    expect(code).to.equal(6);
    expect(err).to.include('Nothing was typed');
  });

  it('recognizes an ended CLI by its rule, in any wording', () => {
    const ended = shown('AGENT_STATE_UNCERTAIN', 'in other words', exitedRule);
    expect(promptRefusal(ended)).to.have.property('reason', 'CLI_ENDED');
    expect(promptRefusal(shown('AGENT_STATE_UNCERTAIN', 'exited'))).to.have.property('reason', 'SCREEN_UNCLEAR');
  });

  it('names the remedy for a refusal', async () => {
    const waysOut: readonly (readonly [PromptScreen, string])[] = [
      [shown('AGENT_STATE_WAITING'), 'muster answer lead'],
      [shown('AGENT_STATE_UNCERTAIN', 'draft'), 'muster attach lead'],
      [{ ...shown('AGENT_STATE_IDLE'), inMode: true }, 'muster attach lead'],
      [shown('AGENT_STATE_THINKING'), 'muster mail send lead'],
    ];
    for (const [pane, way] of waysOut) {
      service.on(`${path}/PromptAgent`, () => {
        const { reason, why } = promptRefusal(pane) ?? { reason: 'SCREEN_UNCLEAR', why: '' };
        throw new Failure(reason, `Not for its words: ${why.length}`);
      });
      const { code, err } = await muster(['prompt', 'lead', 'go on']);
      expect([code, err.includes(`; ${way} `)], err).to.deep.equal([6, true]);
    }
  });

  it('names the release command once', async () => {
    service.on(`${path}/PromptAgent`, () => {
      throw new Failure('AGENT_HELD', 'PromptAgent is not possible: a person holds it; unhold_agent gives it back', {
        metadata: { agentId: lead, heldAt: '2026-11-21T08:00:00.000Z' },
      });
    });
    const { code, err } = await muster(['prompt', 'lead', 'go on']);
    expect([code, err]).to.deep.equal([
      6,
      'lead is held since 2026-11-21T08:00:00.000Z: muster unhold lead gives it back\n',
    ]);
  });

  it('announces that it reads from a terminal', async () => {
    const { err } = await muster(['prompt', 'lead', '-'], { tty: true, stdin: 'go on' });
    expect(err).to.equal('reading the prompt from this terminal: end it with Ctrl-D on a line of its own\n');
    expect((await muster(['prompt', 'lead', '-'], { stdin: 'go on' })).err).to.equal('');
  });

  it('interrupts', async () => {
    expect((await muster(['interrupt', 'lead'], { tty: true })).out).to.equal('lead: IDLE\n');
  });

  it('shows the question with the possible answers, and then presses keys for that screen only', async () => {
    const { out } = await muster(['answer', 'lead'], { tty: true });
    expect(out).to.equal(
      ' Do you want to proceed?\n ❯ 1. Yes\n   2. No\\u0007\n\nlead waits: muster answer lead --screen 0123456789ab KEY...\n',
    );
    await muster(['answer', 'lead', '--screen', '0123456789ab', 'Down', '2']);
    expect(service.requestsOf(`${path}/AnswerAgent`)).to.deep.equal([
      { agentId: lead, screenDigest: digest, keys: ['Down', '2'] },
    ]);
    const said = async (...answer: string[]) =>
      (await muster(['answer', 'lead', '--screen', '0123456789ab', ...answer], { tty: true })).out;
    expect(await said('Down', '2')).to.equal('lead: typed Down, 2; now THINKING\n');
    expect(await said('--text', 'a "b"')).to.equal('lead: typed "a \\"b\\"", Enter; now THINKING\n');
  });

  it('presses nothing for another screen, for none, and for an unknown key', async () => {
    expect((await muster(['answer', 'lead', '--screen', 'ffff56789abc', '1'])).code).to.equal(6);
    expect((await muster(['answer', 'lead', '1'])).code).to.equal(2);
    const short = await muster(['answer', 'lead', '--screen', '0123', '1']);
    expect(short.code).to.equal(2);
    expect(short.err).to.include('at least 8 digits, and "0123" does not');
    const { code, err } = await muster(['answer', 'lead', '--screen', '0123456789ab', 'Return']);
    expect(code).to.equal(2);
    expect(err).to.include('"Return" is not a key');
    expect(service.requestsOf(`${path}/AnswerAgent`)).to.deep.equal([]);
  });
});
