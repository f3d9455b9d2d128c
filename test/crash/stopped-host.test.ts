import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';

const service = 'agent.v1.AgentService';
const words = ['before-1', 'before-2', 'after-1', 'after-2'] as const;

describe('a host that is suspended during a request to type', () => {
  let pieces: Pieces;

  before(async () => {
    pieces = await setUpPieces();
    for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
  });
  after(async () => {
    pieces.signal('host', 'SIGCONT');
    await pieces.stop();
  });

  /** The code that typing is answered with; empty if it was done. */
  const type = (agentId: string, text: string) => codeOf(`${service}/TypeInPane`, { agentId, inputs: [{ text }] });

  const git = (...args: string[]) => execFileSync('git', ['-C', pieces.repository, ...args], { encoding: 'utf8' });

  /** An agent whose shell a person has taken over. */
  async function held(workflowId: string, title: string): Promise<string> {
    const { agent } = await pieces.call<{ agent: { id: string } }>(`${service}/CreateAgent`, {
      prompt: 'true',
      title,
      workflowId,
      idempotencyKey: title,
    });
    await moment(`${title} is at rest`, async () => {
      const { agent: row } = await pieces.call<{ agent: { agent: { state: string } } }>(`${service}/GetAgent`, {
        agentId: agent.id,
      });
      return row.agent.state === 'AGENT_STATE_IDLE';
    });
    await pieces.call(`${service}/HoldAgent`, { agentId: agent.id });
    return agent.id;
  }

  /** The code that a call is answered with; empty if it was done. */
  async function codeOf(method: string, request: object): Promise<string> {
    const token = readFileSync(join(pieces.home, 'operator.token'), 'utf8').trim();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const reply = await fetch(`${pieces.url}/${method}`, { method: 'POST', headers, body: JSON.stringify(request) });
    return reply.ok ? '' : ((await reply.json()) as { code: string }).code;
  }

  it('types nothing after its restart that was reported as not done', async () => {
    const { workflow } = await pieces.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
      name: 'stopped',
      cwd: pieces.repository,
      harness: 'shell',
      provisionEnabled: false,
    });
    const ids = new Map<string, string>();
    for (const word of words) ids.set(word, await held(workflow.id, word));
    const asked = (word: string) => type(ids.get(word) ?? '', `: word-${word}`);
    const early = words.slice(0, 2).map(asked);
    pieces.signal('host', 'SIGSTOP');
    const codes = await Promise.all([...early, ...words.slice(2).map(asked)]);
    pieces.signal('host', 'SIGCONT');
    expect(codes.slice(2)).to.deep.equal(['unavailable', 'unavailable']);
    for (const [place, word] of words.entries()) {
      const agentId = ids.get(word) ?? '';
      // What is typed now comes after all that still lay before the host.
      await moment(`${word} is typed at again`, async () => (await type(agentId, ' then-this')) === '');
      const shown = await moment(`${word} shows it`, async () => {
        const pane = JSON.stringify(await pieces.call(`${service}/ReadPane`, { agentId }));
        return pane.includes('then-this') ? pane : undefined;
      });
      const code = codes[place];
      if (code !== 'deadline_exceeded')
        expect(shown.includes(`word-${word}`), `${word}: ${code}`).to.equal(code === '');
    }
  });

  it('writes nothing for a review that was reported as not done, and answers promptly', async () => {
    const { workflow } = await pieces.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
      name: 'reviewed',
      cwd: pieces.repository,
      harness: 'shell',
      provisionEnabled: false,
    });
    const agentId = await held(workflow.id, 'reviewed');
    const rounds = () => git('for-each-ref', '--format=%(refname)', 'refs/muster/rounds').trim();
    const round = (base: string) => codeOf(`${service}/StartReviewRound`, { agentId, base });
    writeFileSync(join(pieces.repository, 'first.txt'), 'first\n');
    expect(await round('')).to.equal('');
    const before = rounds();
    writeFileSync(join(pieces.repository, 'new.txt'), 'new\n');
    pieces.signal('host', 'SIGSTOP');
    const code = await round('');
    pieces.signal('host', 'SIGCONT');
    // Its own patience is minutes, the gateway's half a minute: then it would be in doubt.
    expect(code).to.equal('unavailable');
    // What is asked of that worktree now comes after all that still lay before the host.
    await moment('the host answers', async () => (await round('not-there')) === 'failed_precondition');
    expect(rounds()).to.equal(before);
  });
});
