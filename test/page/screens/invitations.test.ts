import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { faultsFoundByAxe } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';

describe('invitations on the page', function () {
  this.timeout(90_000);
  let stage: Stage;
  let page: Page;
  before(async () => {
    stage = await setStage();
    page = await stage.open('/hosts');
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  it('are made, shown with their state, and withdrawn', async () => {
    await page.getByRole('button', { name: 'Invite a machine' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a machine' });
    await dialog.getByLabel('Name').fill('build-2');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText(/^muster join https?:\/\/\S+#JOIN-/).waitFor();
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const invitation = page.getByRole('region', { name: 'Invitations' }).getByRole('listitem');
    await invitation.getByText('open').waitFor();
    expect(await invitation.innerText())
      .to.include('build-2')
      .and.not.to.include('JOIN-');
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await invitation.getByRole('button', { name: 'Withdraw build-2' }).click();
    await invitation.getByText('withdrawn', { exact: true }).waitFor();
    expect(await invitation.getByRole('button').count()).to.equal(0);
  });
});
