import { cameraIn, phone, type Screens } from './views.ts';

/** Pictures of the list of agents, of one agent's terminal, and of its review. */
export function agentScreens(folder: string): Screens {
  const shoot = cameraIn(folder);
  return {
    async roster(fleet) {
      await fleet.measured();
      const page = await fleet.open(`/agents/${fleet.id('login-expiry')}`);
      await page.getByRole('button', { name: '1 Yes' }).waitFor();
      await shoot(fleet, page, 'roster');
    },
    async rosterDark(fleet) {
      const page = await fleet.open(`/agents/${fleet.id('payment-retries')}`, { colorScheme: 'dark' });
      await page.getByRole('heading', { name: 'payment-retries' }).waitFor();
      await shoot(fleet, page, 'roster-dark');
    },
    async phone(fleet) {
      const page = await fleet.open('/', phone);
      await page.getByRole('link', { name: 'login-expiry' }).waitFor();
      await shoot(fleet, page, 'roster-phone');
    },
    async pane(fleet) {
      const page = await fleet.open(`/agents/${fleet.id('login-expiry')}/pane`);
      await page.locator('.xterm-rows').getByText('Do you want to create').waitFor();
      await page.getByText('claude/permission', { exact: true }).waitFor();
      await shoot(fleet, page, 'pane');
    },
    async takenOver(fleet) {
      const page = await fleet.open(`/agents/${fleet.id('flaky-search')}/pane`, { colorScheme: 'dark' });
      await page.getByText('claude/rest', { exact: true }).waitFor();
      await page.keyboard.press('t');
      await page.keyboard.type('run the search test 200 times');
      await page.locator('.xterm-rows').getByText('search test 200 times').waitFor();
      await shoot(fleet, page, 'pane-taken-over');
    },
    async review(fleet) {
      const page = await fleet.open(`/agents/${fleet.id('price-rounding')}/review`);
      await page.getByLabel('Compared with').selectOption({ index: 0 });
      await page.getByText('by law').first().waitFor();
      await page.locator('.hunk .token').first().waitFor();
      await shoot(fleet, page, 'review');
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.getByLabel('Compared with').selectOption({ index: 1 });
      await page.getByRole('checkbox', { name: 'Side by side' }).check();
      await page.locator('.diff-split .diff-code-delete .token').first().waitFor();
      const last = page.locator('.diff-split').last();
      await last.evaluate((rows) => rows.scrollIntoView({ block: 'end' }));
      await shoot(fleet, page, 'review-between-rounds');
    },
    async reviewPhone(fleet) {
      const page = await fleet.open(`/agents/${fleet.id('price-rounding')}/review`, { ...phone, colorScheme: 'dark' });
      await page.getByText('Round the sum once').scrollIntoViewIfNeeded();
      await page.locator('.hunk .token').first().waitFor();
      await shoot(fleet, page, 'review-phone');
    },
    async archived(fleet) {
      for (const title of ['tax-tables', 'session-cookie', 'font-loading']) {
        const agentId = await fleet.launch(title, 'Look whether this is still needed.');
        await fleet.until(agentId, 'IDLE');
        await fleet.call('ArchiveAgent', { agentId });
      }
      const page = await fleet.open('/archived');
      for (const title of ['tax-tables', 'font-loading']) await page.getByText(title).first().waitFor();
      await shoot(fleet, page, 'archived');
    },
  };
}
