import { cameraIn, phone, type Screens } from './views.ts';

/** Pictures of the state machine of an agent, with the transitions that it has taken. */
export function machineScreens(folder: string): Screens {
  const shoot = cameraIn(folder);
  return {
    async machines(fleet) {
      const page = await fleet.open(`/machines/agent?id=${fleet.id('price-rounding')}`);
      await page.locator('.state[data-state="live.idle"][data-lit="true"]').waitFor();
      await page.getByRole('region', { name: 'Changes of this transition' }).waitFor();
      await shoot(fleet, page, 'machines-light');
      const other = await fleet.open('/machines/doorbell', { colorScheme: 'dark' });
      await other.locator('.state .count').first().waitFor();
      await shoot(fleet, other, 'machines-dark');
    },
    async machinesPhone(fleet) {
      const page = await fleet.open(`/machines/agent?id=${fleet.id('payment-retries')}`, phone);
      await page.locator('.state[data-state="live.thinking"][data-lit="true"]').waitFor();
      await page.getByRole('region', { name: 'What could happen next' }).getByText('PANE_GONE').waitFor();
      await page.locator('.chart-zoom').click();
      await page.locator('.chart-zoom').getByText('100%').waitFor();
      const lit = page.locator('.state[data-state="live.thinking"]');
      await lit.evaluate((state) => state.scrollIntoView({ block: 'center', inline: 'center' }));
      await shoot(fleet, page, 'machines-phone');
    },
  };
}
