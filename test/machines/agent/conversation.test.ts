import { expect } from 'chai';
import { type Conversation, commandLineOf, type Harness } from '#machines/harness/definition.ts';
import { builtIn } from '#machines/harness/table.ts';

const fresh = '5d0c7a52-3f5e-4c0e-9a55-0f4b6f1f2a11';

describe('the command line of a harness', () => {
  const of = (harness: Partial<Harness> | string, conversation: Partial<Conversation>) => {
    const bare = { name: 'x', command: 'x', start: [], resume: [], env: {} };
    const known = typeof harness === 'string' ? builtIn.find(harness) : { ...bare, ...harness };
    return commandLineOf(known as Harness, ['--flag'], { resume: false, known: undefined, fresh, ...conversation });
  };

  it('begins with an id if the CLI accepts one', () => {
    expect(of('claude', {})).to.deep.equal({
      argv: ['claude', '--session-id', fresh, '--flag'],
      sessionId: fresh,
    });
    expect(of('codex', {})).to.deep.equal({ argv: ['codex', '--no-daemon', '--flag'], sessionId: undefined });
  });

  it('resumes the reported conversation, or else its own', () => {
    for (const harness of ['claude', 'gemini']) {
      expect(of(harness, { resume: true, known: 'ses_2' }).argv.slice(1, 3)).to.deep.equal(['--resume', 'ses_2']);
      expect(of(harness, { resume: true }).sessionId).to.equal(fresh);
    }
    expect(of('codex', { resume: true, known: 'ses_2' })).to.deep.equal({
      argv: ['codex', 'resume', 'ses_2', '--no-daemon', '--flag'],
      sessionId: 'ses_2',
    });
    expect(of('opencode', { resume: true, known: 'ses_2' }).argv).to.include.members(['--session', 'ses_2']);
  });

  it('resumes the newest one only if none is reported', () => {
    expect(of('codex', { resume: true })).to.deep.equal({
      argv: ['codex', 'resume', '--last', '--no-daemon', '--flag'],
      sessionId: undefined,
    });
    expect(of('opencode', { resume: true }).argv).to.include('--continue');
    expect(of('pi', { resume: true, known: 'ses_2' })).to.deep.include({ sessionId: undefined });
  });

  it('starts a new one if the choice is ambiguous', () => {
    const harness = { start: ['--now'], resume: ['--take-up', '{sessionId}'] };
    expect(of(harness, { resume: true }).argv).to.deep.equal(['x', '--now', '--flag']);
  });
});
