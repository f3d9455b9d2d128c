import { join } from 'node:path';
import type { Fleet } from './fleet.ts';
import { cameraIn, type Screens } from './views.ts';

/** Pictures of workflows, runs of scripts, hosts, facts, settings and the doctor. */
export function serviceScreens(folder: string): Screens {
  const shoot = cameraIn(folder);
  return {
    async runs(fleet) {
      const workflowId = await scriptedWorkflow(fleet);
      await fleet.until(await fleet.launch('bundle-size', 'Halve the bundle.', { workflowId }), 'IDLE');
      await fleet.until(await fleet.launch('drop-left-pad', 'Drop left-pad.', { workflowId }), 'FAILED_TO_CREATE');
      const page = await fleet.open('/runs');
      await page.getByText('ended with 1').first().waitFor();
      await page.keyboard.press('j');
      await page.getByRole('log').waitFor();
      await shoot(fleet, page, 'runs');
    },
    async workflows(fleet) {
      const page = await fleet.open(`/workflows/${fleet.workflows.shop}`);
      await page.getByRole('heading', { name: 'shop', exact: true }).waitFor();
      await page.getByText('Run the tests with npm test').waitFor();
      await shoot(fleet, page, 'workflows');
      await page.keyboard.press('t');
      const trial = page.getByRole('dialog', { name: 'Try the setup script of shop' });
      await trial.getByLabel('Setup script').fill(setupScript);
      await trial.getByRole('button', { name: 'Run' }).click();
      await trial.getByText('succeeded', { exact: true }).waitFor();
      await trial.getByRole('log').getByText('ready').waitFor();
      await shoot(fleet, page, 'workflow-trial');
    },
    async hosts(fleet) {
      const page = await fleet.open('/hosts', { colorScheme: 'dark' });
      await page.getByText('online').waitFor();
      await page.keyboard.press('j');
      await page.getByRole('list', { name: /^Agents on/ }).waitFor();
      await shoot(fleet, page, 'hosts-dark');
    },
    async facts(fleet) {
      const page = await fleet.open('/facts');
      await page.getByRole('list', { name: 'Facts' }).getByText('agent.state-moved').first().waitFor();
      await shoot(fleet, page, 'facts');
    },
    async settings(fleet) {
      const page = await fleet.open('/');
      await page.getByRole('link', { name: 'login-expiry' }).waitFor();
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByText('When an agent begins to wait for you').waitFor();
      await shoot(fleet, page, 'settings');
    },
    async doctor(fleet) {
      fleet.pieces.signal('host', 'SIGSTOP');
      try {
        const page = await fleet.open('/doctor');
        await page.getByText('has not answered within').waitFor();
        await shoot(fleet, page, 'doctor');
      } finally {
        fleet.pieces.signal('host', 'SIGCONT');
      }
    },
  };
}

const setupScript = [
  'for name in react vite zod; do echo "fetched $name"; done',
  'echo "added 214 packages in 3 s"',
  'git branch --show-current',
  'echo ready',
].join('\n');

/** A workflow whose setup script fails for one of its agents; its id. */
async function scriptedWorkflow(fleet: Fleet): Promise<string> {
  const failing = 'case "$PWD" in *left-pad*) echo "error: no package of this name: left-pad" >&2; exit 1;; esac';
  const { workflow } = await fleet.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
    name: 'packages',
    cwd: join(fleet.folder, 'site'),
    harness: 'claude',
    provisionEnabled: true,
    scripts: { setup: `${setupScript}\n${failing}` },
  });
  return workflow.id;
}
