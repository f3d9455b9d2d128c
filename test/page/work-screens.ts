import { join } from 'node:path';
import { githubDouble } from '#test/forge/doubles/github.ts';
import { serveDouble } from '#test/forge/doubles/server.ts';
import { ForgeWorld, pull } from '#test/forge/doubles/world.ts';
import { asAgent } from './as-agent.ts';
import type { Stage } from './stage.ts';

const phone = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true } as const;

/** Pictures of schedules, mail, runs, hosts and pull requests, each of a service with scripted agents at work. */
export function workScreens(folder: string): Readonly<Record<string, (stage: Stage) => Promise<void>>> {
  const to = (name: string) => ({ path: join(folder, `${name}.png`) });
  return {
    async schedules(stage) {
      const nightly = await makeSchedules(stage);
      await stage.call('schedule.v1.ScheduleService/FireSchedule', { scheduleId: nightly });
      const page = await stage.open(`/schedules/${nightly}`);
      await page.getByRole('list', { name: 'Runs of nightly-triage' }).getByText('completed').waitFor();
      await page.screenshot(to('schedules'));
      await page.keyboard.press('Escape');
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      await page.screenshot(to('schedules-dark'));
      const small = await stage.open('/schedules', phone);
      await small.getByText('weekly-report').waitFor();
      await small.screenshot(to('schedules-phone'));
    },
    async mail(stage) {
      const mailId = await exchange(stage);
      const page = await stage.open(`/mail/${mailId}`);
      await page.getByText('a reply', { exact: true }).waitFor();
      await page.screenshot(to('mail'));
    },
    async runs(stage) {
      await makeRuns(stage);
      const page = await stage.open('/runs');
      await page.getByText('ended with 1').first().waitFor();
      await page.keyboard.press('j');
      await page.getByRole('log').waitFor();
      await page.screenshot(to('runs'));
    },
    async hosts(stage) {
      const page = await stage.open('/hosts', { colorScheme: 'dark' });
      await page.getByText('online').waitFor();
      await page.keyboard.press('j');
      await page.getByRole('list', { name: /^Agents on/ }).waitFor();
      await page.screenshot(to('hosts-dark'));
    },
    async doctor(stage) {
      stage.pieces.signal('host', 'SIGSTOP');
      try {
        const page = await stage.open('/doctor');
        await page.getByText('has not answered within').waitFor();
        await page.screenshot(to('doctor'));
      } finally {
        stage.pieces.signal('host', 'SIGCONT');
      }
    },
    async pullRequests(stage) {
      const forge = await connect(stage);
      const page = await stage.open('/pull-requests');
      await page.getByText('Round prices').waitFor();
      await page.screenshot(to('pull-requests'));
      await forge.close();
    },
  };
}

async function makeSchedules(stage: Stage): Promise<string> {
  const { workflows } = await stage.call<{ workflows: { id: string; name: string }[] }>(
    'workflow.v1.WorkflowService/ListWorkflows',
    {},
  );
  const workflowId = workflows.find(({ name }) => name === 'shop')?.id;
  const make = async (name: string, cron: string, prompt: string, more: object = {}): Promise<string> => {
    const request = { name, cron, prompt, workflowId, timezone: 'Europe/Paris', ...more };
    const method = 'schedule.v1.ScheduleService/CreateSchedule';
    return (await stage.call<{ schedule: { id: string } }>(method, request)).schedule.id;
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
async function exchange(stage: Stage): Promise<string> {
  const [first, second] = await Promise.all([stage.launch('ledger', 'rest'), stage.launch('invoices', 'rest')]);
  await Promise.all([stage.until(first, 'IDLE'), stage.until(second, 'IDLE')]);
  interface Sent {
    readonly mail: { readonly id: string };
  }
  const { mail } = await stage.call<Sent>('SendMail', {
    agentId: first,
    subject: 'Customers are charged twice',
    body: 'It happens when the first answer is lost. Find out why, and have it mended.',
  });
  await asAgent(stage, first, 'TakeMail', {});
  const asked = await asAgent<Sent>(stage, first, 'SendMail', {
    agentId: second,
    subject: 'Give each retry the key of its first try',
    kind: 'request',
    body: 'The ledger must not see a charge twice. Can you pass the key through?',
  });
  await asAgent(stage, second, 'TakeMail', {});
  const answer = {
    agentId: first,
    inReplyTo: asked.mail.id,
    body: 'Done: it is kept with the charge. Tests are green.',
  };
  await asAgent(stage, second, 'SendMail', answer);
  await stage.call('SendMail', { agentId: second, body: 'The template moved to src/invoice.' });
  return mail.id;
}

/** One run of a script that ends well, and one that fails. */
async function makeRuns(stage: Stage): Promise<void> {
  const setup = [
    'for name in react vite zod; do echo "fetched $name"; done',
    'echo "added 214 packages in 3 s"',
    'case "$PWD" in *left-pad*) echo "error: no package of this name: left-pad" >&2; exit 1;; esac',
  ].join('\n');
  const request = { name: 'packages', cwd: stage.pieces.repository, harness: 'scripted', provisionEnabled: true };
  const { workflow } = await stage.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
    ...request,
    scripts: { setup },
  });
  const workflowId = workflow.id;
  await stage.until(await stage.launch('bundle-size', 'rest', { workflowId }), 'IDLE');
  await stage.until(await stage.launch('drop-left-pad', 'rest', { workflowId }), 'FAILED_TO_CREATE');
}

/** A forge with pull requests in each standing, which are read. */
async function connect(stage: Stage): Promise<{ close(): Promise<void> }> {
  const world = new ForgeWorld();
  const passed = [{ name: 'test', state: 'passed' }] as const;
  const seen = [{ user: 'ada', verdict: 'approved' }] as const;
  const wrong = [{ user: 'ada', verdict: 'changes' }] as const;
  const updatedAt = new Date().toISOString();
  const pulls = [
    pull(41, {
      title: 'Make payment retries idempotent',
      branch: 'muster/payment-retries',
      checks: passed,
      reviews: seen,
    }),
    pull(42, {
      title: 'Round prices by law',
      branch: 'muster/price-rounding',
      checks: [{ name: 'test', state: 'failed' }],
    }),
    pull(43, { title: 'Render invoices without a browser', branch: 'muster/invoice-pdf', merges: 'conflict' }),
    pull(44, { title: 'Say when a session ends', branch: 'muster/login-expiry', checks: passed, reviews: wrong }),
    pull(45, { title: 'Keep the search test from flaking', branch: 'muster/flaky-search', draft: true }),
  ];
  world.repository('acme/shop', { pulls: pulls.map((one) => ({ ...one, updatedAt })) });
  const forge = await serveDouble(githubDouble(world));
  await stage.call('forge.v1.ForgeService/CreateForgeConnection', {
    host: 'forge.test',
    kind: 'FORGE_KIND_GITHUB',
    baseAddress: forge.address,
    credential: world.token,
  });
  await stage.call('forge.v1.ForgeService/SweepRepository', { remoteUrl: 'https://forge.test/acme/shop' });
  return forge;
}
