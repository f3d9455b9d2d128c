import { expect } from 'chai';
import { outputMark } from '#contract/fact/reason-parts.ts';
import { operations } from '#contract/table.ts';
import { agentRoles, type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';

const inScript = 'hunter2-of-a-script';
const written = 'hunter2-that-was-written';
const variable = 'hunter2-of-a-variable';
const webhook = 'https://hooks.example/hunter2';

describe('a secret in a workflow’s script', () => {
  let fixture: RegistryFixture;
  let workflowId: string;
  let failedId: string;
  const ids = new Map<string, string>();

  before(async () => {
    fixture = await registryFixture();
    const command = `curl -H "Authorization: ${inScript}" https://example.org`;
    const scripts = { setup: command, teardown: command, onIdle: command, onWaiting: command };
    const notify = { webhook };
    workflowId = (await fixture.workflow({ name: 'secretive', scripts, notify, environment: [`KEY=${variable}`] })).id;
    for (const role of agentRoles) {
      const { id } = await fixture.create({ prompt: role, role, workflowId });
      await fixture.host.bringUp(id);
      ids.set(role, id);
    }
    failedId = (await fixture.create({ prompt: 'fails', workflowId })).id;
    const worktree = { repository: '/repo/.git', path: '/trees/f', branch: 'muster/f', baseSha: 'abc', copied: [] };
    await fixture.host.tell(failedId, { type: 'WORKTREE_READY', worktree });
    const reason = `the setup script ended with 1${outputMark}+ curl ${written}`;
    await fixture.host.tell(failedId, { type: 'STEP_FAILED', step: 'preparing', reason });
  });
  after(() => fixture.close());

  /** All that a caller is reported by whatever reads, of the workflow and of the agent that failed. */
  async function everything(as: 'person' | { agentId: string }): Promise<string> {
    const asked = operations.filter(({ access }) => access === 'read');
    const answers = asked.flatMap(({ method }) =>
      [{ workflowId }, { agentId: failedId }, {}].map((request) => fixture.call(method, request, as).catch(() => ({}))),
    );
    return JSON.stringify(await Promise.all(answers));
  }

  it('is shown to the person', async () => {
    const told = await everything('person');
    for (const secret of [inScript, written, webhook, variable]) expect(told).to.include(secret);
  });

  for (const role of agentRoles) {
    it(`is shown to no ${role}, by any operation`, async () => {
      const told = await everything({ agentId: ids.get(role) ?? '' });
      expect(told).to.include('secretive').and.to.include('the setup script ended with 1');
      expect(told).not.to.include(inScript);
      expect(told).not.to.include(webhook);
      expect(told).not.to.include(variable);
    });
  }

  for (const role of ['AGENT_ROLE_IMPLEMENTER', 'AGENT_ROLE_REVIEWER']) {
    it(`is shown to no ${role} in the output of a failure`, async () => {
      expect(await everything({ agentId: ids.get(role) ?? '' })).not.to.include(written);
    });
  }
});
