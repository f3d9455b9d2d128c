import { expect } from 'chai';
import type { CreateAgentRequest, LeftBehind } from '#contract/operations/create-agent.ts';
import { failureOf } from '#test/support/failure.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('a launch', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture({ ceiling: 100 });
  });
  after(() => fixture.close());

  it('uses its workflow’s flags only for their CLI, and none if they are cleared', async () => {
    const { id } = await fixture.workflow({ harness: 'codex', flags: '--fast' });
    const flags = async (request: Partial<CreateAgentRequest>) =>
      (await fixture.create({ workflowId: id, ...request })).flags ?? '';
    expect(await flags({ harness: 'codex' })).to.equal('--fast');
    expect(await flags({ harness: 'claude' })).to.equal('');
    expect(await flags({ harness: 'claude', flags: '--slow' })).to.equal('--slow');
    expect(await flags({ clear: ['flags'] })).to.equal('');
    expect(await flags({ clear: ['flags'], flags: '--slow' })).to.equal('--slow');
  });

  it('uses the flags of a workflow without a CLI only for the default one', async () => {
    const { id } = await fixture.workflow({ harness: '', flags: '--fast' });
    const launched = async (harness?: string) => {
      const agent = await fixture.create({ workflowId: id, ...(harness && { harness }) });
      return { harness: agent.harness, flags: agent.flags ?? '' };
    };
    const { harness, flags } = await launched();
    expect(flags).to.equal('--fast');
    expect(await launched(harness)).to.deep.equal({ harness, flags });
    expect(await launched('shell')).to.deep.equal({ harness: 'shell', flags: '' });
  });

  it('is refused without a host that has the CLI', async () => {
    const failure = await failureOf(() => fixture.create({ harness: 'gemini' }));
    expect(failure).to.deep.include({ code: 'failed_precondition', reason: 'HARNESS_UNAVAILABLE' });
    expect(failure.message).to.match(/^gemini is not on the PATH of \S+: install it there,/);
    fixture.host.harnesses.push('gemini');
    await fixture.host.beat();
    expect((await fixture.create({ harness: 'gemini' })).harness).to.equal('gemini');
  });

  it('brings the changes of its directory only into a worktree', async () => {
    const { id } = await fixture.create({ withChanges: true, provisionEnabled: true });
    expect((await fixture.host.registry.load(id)).launch.withChanges).to.equal(true);
    const failure = await failureOf(() => fixture.create({ withChanges: true, provisionEnabled: false }));
    expect(failure).to.deep.include({ code: 'invalid_argument', reason: 'CONFLICTING_FIELDS' });
    expect(failure.violations.map(({ field }) => field)).to.deep.equal(['withChanges']);
  });

  it('lists what its worktree will lack of its directory', async () => {
    const none = { count: 0, names: [] };
    const lacks = { changed: none, untracked: { count: 1, names: ['x'] }, ignored: none, submodules: none };
    fixture.host.leftBehind = lacks;
    const { id: workflowId } = await fixture.workflow({});
    const told = async (request: Partial<CreateAgentRequest>) => {
      const answer = await fixture.call<{ leftBehind?: LeftBehind }>('CreateAgent', {
        prompt: 'x',
        workflowId,
        ...request,
      });
      return answer.leftBehind;
    };
    expect(await told({})).to.deep.equal(lacks);
    expect(await told({ provisionEnabled: false })).to.equal(undefined);
    const notCopied = [{ path: 'data/', reason: 'large' as const, bytes: 7 }];
    const brought = { changed: none, untracked: none, ignored: none, submodules: none };
    fixture.host.leftBehind = { ...brought, notCopied, notCopiedCount: 2 };
    const shown = [{ path: 'data/', reason: 'NOT_COPIED_REASON_LARGE', bytes: '7' }];
    expect(await told({ withChanges: true })).to.deep.equal({ ...brought, notCopied: shown, notCopiedCount: 2 });
    fixture.host.leftBehind = { ...brought, notCopied: [], notCopiedCount: 0 };
    expect(await told({ withChanges: true })).to.equal(undefined);
    fixture.host.leftBehind = undefined;
    expect(await told({})).to.equal(undefined);
  });
});
