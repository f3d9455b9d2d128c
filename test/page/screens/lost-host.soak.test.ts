import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Host } from '#contract/host/host.ts';
import { colorSchemes, faultsFoundByAxe } from '#test/page/axe.ts';
import { type Stage, setStage } from '#test/page/stage.ts';

/** A second host that comes new, is admitted, is lost with its agent, and is forgotten: all of it by the page. */
describe('a lost host on the page', function () {
  this.timeout(150_000);
  let stage: Stage;
  let page: Page;
  let far: Host;
  before(async () => {
    stage = await setStage();
    const [near] = await hosts();
    await stage.pieces.start('otherHost');
    far = (await hosts()).find(({ id }) => id !== near?.id) as Host;
    page = await stage.open('/hosts');
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const hosts = async () => (await stage.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {})).hosts;
  const panel = () => page.getByRole('complementary');
  const notice = (text: string) => page.getByRole('region', { name: 'Notices' }).getByText(text);
  const axe = async (what: string) => {
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsFoundByAxe(page), `${what}, ${colorScheme}`).to.deep.equal([]);
    }
  };
  const shoot = async (name: string) => {
    const folder = process.env['MUSTER_TEST_SHOTS'];
    if (folder !== undefined) writeFileSync(`${folder}/${name}.png`, await page.screenshot());
  };

  it('is shown as new when it joins, and admitted', async () => {
    const row = page.getByRole('list', { name: 'Hosts' }).getByRole('listitem').filter({ hasText: 'new' });
    await row.getByText('new', { exact: true }).waitFor();
    await page.goto(`${stage.pageUrl}/hosts/${far.id}`);
    const takeIn = panel().getByRole('button', { name: 'Admit' });
    await takeIn.waitFor();
    expect(await panel().getByRole('button', { name: 'Forget' }).count(), 'of a host that is there').to.equal(0);
    await axe('a new host');
    await shoot('new-host');
    await takeIn.click();
    await notice('takes new agents').waitFor();
    await panel().getByRole('button', { name: 'Cordon' }).waitFor();
    expect((await hosts()).find(({ id }) => id === far.id)?.newcomer ?? false).to.equal(false);
  });

  it('is not forgotten while it has an agent', async () => {
    const { workflow } = await stage.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
      name: 'far',
      cwd: stage.pieces.repository,
      harness: 'shell',
      provisionEnabled: true,
      host: far.id,
    });
    const agentId = await stage.launch('far-away', 'true', { workflowId: workflow.id });
    await stage.until(agentId, 'IDLE');
    await stage.call('HoldAgent', { agentId });
    await stage.call('SendMail', { agentId, body: 'Look at this' });
    await stage.call('UnholdAgent', { agentId });
    await stage.call('host.v1.HostService/UpdateHost', { hostId: far.id, patienceSeconds: 30 });
    await stage.pieces.kill('otherHost');
    await panel().getByText('lost', { exact: true }).waitFor({ timeout: 60_000 });
    await page.keyboard.press('x');
    const dialog = page.getByRole('dialog', { name: /^Forget / });
    await dialog.getByText('If it returns, it is a new host').waitFor();
    await axe('the question before it is forgotten');
    await dialog.getByRole('button', { name: 'Forget' }).click();
    await notice('on it, archived ones too').waitFor();
    await shoot('not-forgotten');
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  });

  it('may use another key once a person has confirmed', async () => {
    const forget = () => panel().getByRole('button', { name: 'Forget key', exact: true }).click();
    const question = page.getByRole('dialog', { name: `Forget the key of ${far.name}?` });
    const forgotten = async () => {
      const { facts } = await stage.call<{ facts: { kind: string }[] }>('fact.v1.FactService/ListFacts', {
        subjectId: far.id,
      });
      return facts.filter(({ kind }) => kind === 'host.key-forgotten').length;
    };
    await forget();
    await question.getByText('becomes this host').waitFor();
    await axe('the question before a key is forgotten');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await forgotten()).to.equal(0);
    await forget();
    await question.getByRole('button', { name: 'Forget key' }).click();
    await notice(`${far.name} may use a new key`).waitFor();
    expect(await forgotten()).to.equal(1);
  });

  it('has its agents abandoned, with a list of what is lost', async () => {
    await panel().getByRole('link', { name: 'far-away' }).click();
    const agent = page.getByRole('complementary', { name: 'Agent far-away' });
    await agent.getByText('has been silent for').waitFor();
    await agent.getByRole('button', { name: 'Abandon' }).click();
    const dialog = page.getByRole('dialog', { name: 'Abandon far-away?' });
    await dialog.getByText('You give up').waitFor();
    await shoot('abandon');
    await axe('the question before an agent is abandoned');
    await dialog.getByRole('button', { name: 'Abandon' }).click();
    await notice('far-away is abandoned. Given up with it:').waitFor();
    for (const lost of ['its worktree', 'the terminal of', 'stored nowhere else', 'has not taken'])
      await notice(lost).waitFor();
    await page.getByText('it may have been deleted').waitFor();
    await shoot('abandoned');
    await axe('what was given up');
    await page.getByRole('list', { name: 'Agents' }).getByText('far-away').waitFor({ state: 'detached' });
  });

  it('is then forgotten, and its row removed', async () => {
    await page.goto(`${stage.pageUrl}/hosts/${far.id}`);
    await panel().getByRole('button', { name: 'Forget x' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
    await notice('is forgotten').waitFor();
    await panel().waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Hosts' }).getByText('lost', { exact: true }).waitFor({ state: 'detached' });
    expect((await hosts()).map(({ id }) => id)).not.to.contain(far.id);
  });

  it('explains why nothing is live while the registry or the gateway is down, and continues automatically', async () => {
    const fault = page.getByRole('alert');
    await stage.pieces.kill('registry');
    await fault.getByText('muster’s registry does not answer').first().waitFor({ timeout: 60_000 });
    await shoot('registry-away');
    await axe('a registry that is away');
    await stage.pieces.start('registry');
    await fault.getByText('registry does not answer').first().waitFor({ state: 'detached', timeout: 60_000 });
    await page.getByText('live', { exact: true }).waitFor({ timeout: 60_000 });
    await stage.pieces.kill('gateway');
    await fault.getByText('Reason: muster cannot be reached.').waitFor({ timeout: 60_000 });
    await shoot('gateway-away');
    await axe('a gateway that is away');
    await stage.pieces.start('gateway');
    await page.getByText('live', { exact: true }).waitFor({ timeout: 60_000 });
    await fault.first().waitFor({ state: 'detached', timeout: 60_000 });
  });
});
