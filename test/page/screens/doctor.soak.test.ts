import { hostname } from 'node:os';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { colorSchemes, faultsFoundByAxe } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';

describe('the doctor on the page', () => {
  let stage: Stage;
  let page: Page;
  before(async () => {
    stage = await setStage();
    page = await stage.open('/');
    await page.getByRole('link', { name: 'Doctor', exact: true }).click();
  });
  after(() => stage.stop());

  const part = (name: string) => page.getByRole('region', { name });
  const line = (of: string, name: string) => part(of).getByRole('listitem').filter({ hasText: name });
  const lookAgain = async () => {
    const button = page.getByRole('button', { name: /^Check again/ });
    await moment('it has looked', () => button.isEnabled());
    await page.keyboard.press('r');
  };

  it('shows findings of the gateway, the registry and each host', async () => {
    await line('Gateway', 'bus').getByText('it answers').waitFor();
    await line('Gateway', 'hosts').getByText('all are online').waitFor();
    await line('Registry', 'database').getByText('it is writable').waitFor();
    await line(hostname(), 'tmux').getByText('/usr/bin/tmux').waitFor();
    await line(hostname(), 'online').getByText('ok', { exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('status').textContent()).to.match(
      /^(No failures or warnings|No failures; \d+ warnings?)$/,
    );
    expect(stage.faults).to.deep.equal([]);
  });

  inSoak('lists each of several registries, and the one that does not answer', async () => {
    const [well, hung] = [
      { ok: true, ms: 1 },
      { ok: false, ms: 1_000, why: 'It hangs' },
    ];
    const registries = [
      { machine: 'one', ...well },
      { machine: 'two', ...hung },
    ];
    await page.route('**/readyz', (route) =>
      route.fulfill({ json: { status: 'degraded', bus: well, registry: well, registries } }),
    );
    await line('Gateway', 'registry on one').getByText('it answers').waitFor();
    await line('Gateway', 'registry on two').getByText('It hangs').waitFor();
    await page.unroute('**/readyz');
    await line('Gateway', 'registry on two').waitFor({ state: 'detached' });
  });

  it('passes axe, in light and dark and on a phone', async () => {
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsFoundByAxe(page), colorScheme).to.deep.equal([]);
    }
    const phone = await stage.open('/doctor', { viewport: { width: 390, height: 700 } });
    await phone.getByRole('region', { name: 'Registry' }).waitFor();
    expect(await faultsFoundByAxe(phone), 'on a phone').to.deep.equal([]);
    expect(await phone.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
    await phone.close();
  });

  it('reports a hung host, an unreachable registry, and their recovery', async () => {
    stage.pieces.signal('host', 'SIGSTOP');
    await lookAgain();
    await line(hostname(), 'online').getByText('failure', { exact: true }).waitFor();
    await line(hostname(), 'online').getByText('on it, or find out why it hangs').waitFor();
    await page
      .getByRole('main')
      .getByRole('status')
      .getByText(/^\d+ failure/)
      .waitFor();
    stage.pieces.signal('host', 'SIGCONT');
    await stage.pieces.kill('registry');
    await line('Gateway', 'registry').getByText('failure', { exact: true }).waitFor();
    await stage.pieces.start('registry');
    await line('Gateway', 'registry').getByText('it answers').waitFor({ timeout: 20_000 });
    await moment('the host is well', async () => {
      await lookAgain();
      return line(hostname(), 'online').getByText('ok', { exact: true }).isVisible();
    });
  });
});
