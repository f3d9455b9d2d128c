import { expect } from 'chai';
import type { Workflow } from '#contract/workflow.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Created {
  readonly workflow: Workflow;
  readonly notIsolated?: string;
}

describe('the isolation of a new workflow', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture({ isolationSetting: 'begun' });
  });
  after(() => fixture.close());
  afterEach(() => {
    fixture.host.sandboxFault = undefined;
  });

  let made = 0;
  const create = (given: object = {}) => {
    made += 1;
    return fixture.call<Created>('CreateWorkflow', { name: `new-${made}`, cwd: '/repo', ...given });
  };

  it('is a sandbox if one works on its host, also for the workflow of a new installation', async () => {
    const { workflows, defaultIsolation } = await fixture.call<{ workflows: Workflow[]; defaultIsolation: string }>(
      'ListWorkflows',
    );
    expect(defaultIsolation).to.equal('ISOLATION_SANDBOX');
    expect(workflows.find(({ name }) => name === 'default')).to.include({ isolation: 'ISOLATION_SANDBOX' });
    const { workflow, notIsolated } = await create();
    expect(workflow).to.include({ isolation: 'ISOLATION_SANDBOX' });
    expect(notIsolated).to.equal(undefined);
    expect(await fixture.create({ workflowId: workflow.id ?? '' })).to.include({ isolation: 'ISOLATION_SANDBOX' });
  });

  it('depends on what its agents are launched with', async () => {
    const launched = { harness: 'codex', environment: ['CODEX_HOME=/srv/codex'] };
    await create({ ...launched, grants: { readable: ['/srv/cache'] } });
    expect(fixture.host.triedSandbox).to.deep.equal({ path: '/repo', ...launched });
  });

  it('is what a person asks for', async () => {
    expect((await create({ isolation: 'ISOLATION_NONE' })).workflow).to.include({ isolation: 'ISOLATION_NONE' });
    const { workflow } = await create();
    const changed = await fixture.call<Created>('UpdateWorkflow', { workflowId: workflow.id, clear: ['isolation'] });
    expect(changed.workflow).not.to.have.property('isolation');
  });

  it('is none where no sandbox works, and the answer says why', async () => {
    fixture.host.sandboxFault = 'cannot be isolated: bwrap is not on the PATH. Install it';
    const { workflow, notIsolated } = await create();
    expect(workflow).not.to.have.property('isolation');
    expect(notIsolated).to.equal(
      'On host hst_1.example, agents cannot be isolated: bwrap is not on the PATH. Install it',
    );
    expect((await create({ isolation: 'ISOLATION_SANDBOX' })).workflow).to.include({ isolation: 'ISOLATION_SANDBOX' });
  });

  it('stays none in an installation that says so', async () => {
    await fixture.store.write(({ settings }) => settings.insert('default-isolation', 'none'));
    expect((await create()).workflow).not.to.have.property('isolation');
    const { defaultIsolation } = await fixture.call<{ defaultIsolation: string }>('ListWorkflows');
    expect(defaultIsolation).to.equal('ISOLATION_NONE');
  });
});
