import { asAgent } from '../as-agent.ts';
import type { Fleet } from './fleet.ts';
import { cameraIn, phone, type Screens } from './views.ts';

/** Pictures of schedules, mail, pull requests and forges. */
export function workScreens(folder: string): Screens {
  const shoot = cameraIn(folder);
  return {
    async pullRequests(fleet) {
      const page = await fleet.open('/pull-requests');
      await page.getByText('Round prices').waitFor();
      await shoot(fleet, page, 'pull-requests');
    },
    async forges(fleet) {
      const page = await fleet.open('/pull-requests/forges');
      await page.getByRole('button', { name: 'Check forge.test' }).click();
      await page.getByText('Account:').waitFor();
      await page.getByRole('textbox', { name: 'Repository' }).fill('git@forge.test:acme/shop.git');
      await page.keyboard.press('Enter');
      await page.getByText('Make payment retries idempotent').waitFor();
      await shoot(fleet, page, 'forges');
    },
    async mail(fleet) {
      const mailId = await exchange(fleet);
      const page = await fleet.open(`/mail/${mailId}`);
      await page.getByText('Tests are green').first().waitFor();
      await shoot(fleet, page, 'mail');
    },
    async schedules(fleet) {
      const nightly = await makeSchedules(fleet);
      await fleet.call('schedule.v1.ScheduleService/FireSchedule', { scheduleId: nightly });
      const page = await fleet.open(`/schedules/${nightly}`);
      await page.getByRole('list', { name: 'Runs of nightly-triage' }).getByText('completed').waitFor();
      await shoot(fleet, page, 'schedules');
      await page.keyboard.press('Escape');
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      await shoot(fleet, page, 'schedules-dark');
      const small = await fleet.open('/schedules', phone);
      await small.getByText('weekly-report').waitFor();
      await shoot(fleet, small, 'schedules-phone');
    },
  };
}

async function makeSchedules(fleet: Fleet): Promise<string> {
  const workflowId = fleet.workflows.shop;
  const make = async (name: string, cron: string, prompt: string, more: object = {}): Promise<string> => {
    const request = { name, cron, prompt, workflowId, timezone: 'Europe/Paris', ...more };
    const method = 'schedule.v1.ScheduleService/CreateSchedule';
    return (await fleet.call<{ schedule: { id: string } }>(method, request)).schedule.id;
  };
  await make('dependency-watch', '0 9 * * MON-FRI', 'See which dependencies moved');
  await make('flaky-hunt', '*/15 8-18 * * MON-FRI', 'Hunt the flaky test', { overlap: 'OVERLAP_POLICY_SKIP' });
  await make('link-check', '* * * * *', 'Look for dead links', { paused: true });
  await make('weekly-report', '30 16 * * FRI', 'Write the weekly report', { timezone: 'America/New_York' });
  const triage =
    'Triage the issues that came in since yesterday. Label each, and answer those that only need a pointer.';
  return make('nightly-triage', '0 2 * * *', triage);
}

/** A thread that a person began; the id of its first mail. */
async function exchange(fleet: Fleet): Promise<string> {
  const [first, second] = await Promise.all([
    fleet.launch('double-charge', 'Find out why customers are charged twice.'),
    fleet.launch('charge-keys', 'Keep a key with each charge.'),
  ]);
  await Promise.all([fleet.until(first, 'IDLE'), fleet.until(second, 'IDLE')]);
  interface Sent {
    readonly mail: { readonly id: string };
  }
  const { mail } = await fleet.call<Sent>('SendMail', {
    agentId: first,
    subject: 'Customers are charged twice',
    body: 'It happens when the first answer is lost. Find out why, and have it mended.',
  });
  await asAgent(fleet, first, 'TakeMail', {});
  const asked = await asAgent<Sent>(fleet, first, 'SendMail', {
    agentId: second,
    subject: 'Give each retry the key of its first try',
    kind: 'request',
    body: 'The ledger must not see a charge twice. Can you pass the key through?',
  });
  await asAgent(fleet, second, 'TakeMail', {});
  const answer = {
    agentId: first,
    inReplyTo: asked.mail.id,
    body: 'Done: it is kept with the charge. Tests are green.',
  };
  await asAgent(fleet, second, 'SendMail', answer);
  await fleet.call('SendMail', { agentId: second, body: 'The template moved to src/invoice.' });
  return mail.id;
}
