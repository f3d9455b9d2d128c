import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent } from '#contract/agent/agent.ts';
import { installPlayer, type PlayerLink, reachPlayer } from '#test/rings/player-link.ts';
import { moment } from '#test/support/moment.ts';
import { ownProgram } from '#test/support/pieces.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { type Stage, setStage } from '../stage.ts';
import { cast, type Part } from './cast.ts';
import { shownHome } from './folders.ts';
import { changeCheckout, makeRepository } from './repositories.ts';
import { discuss } from './review-cast.ts';
import { firstScreens, screenOf } from './scenes.ts';

/** How long all of their work may take to be measured, in milliseconds: the host measures one after another, and rests between. */
const measuredWithinMs = 400_000;

/** What makes the computer of the pictures out of the one that they are taken on. */
const machine = fileURLToPath(new URL('calm-machine.mjs', import.meta.url));

/** A fleet on a stage: claude and codex are programs that show recorded screens of theirs. */
export interface Fleet extends Stage {
  /** The folder of the repositories. */
  readonly folder: string;
  /** The id of the workflow of a repository. */
  readonly workflows: Readonly<Record<Part['repository'], string>>;
  /** The id of an agent of the cast. */
  id(name: string): string;
  /** Resolves once the host has measured what each of the cast has changed. */
  measured(): Promise<void>;
  /** An agent as it is now. */
  agent(agentId: string): Promise<Agent>;
}

/** What is noted of the cast, by name. */
interface Notes {
  readonly ids: Map<string, string>;
  readonly links: Map<string, PlayerLink>;
}

/** Starts a service, launches the whole cast, and waits until each shows its scene and is read as that. */
export async function gatherFleet(): Promise<Fleet> {
  const notes: Notes = { ids: new Map(), links: new Map() };
  const fleet = await emptyFleet(notes);
  try {
    await launchAll(fleet, notes);
    await discuss(fleet, fleet.id('price-rounding'));
    await playAll(fleet, notes);
    await settle(fleet, notes);
    return fleet;
  } catch (error) {
    await fleet.stop();
    throw error;
  }
}

async function emptyFleet({ ids, links }: Notes): Promise<Fleet> {
  const folder = temporaryFolder('fleet');
  const { path } = folder;
  let shop = '';
  const stage = await setStage({
    programOf: (piece) => {
      const [node, ...program] = ownProgram(piece);
      return [node, '--import', machine, ...program];
    },
    settings: { PATH: `${installPlayers(path)}:${process.env['PATH']}`, HOME: path },
    workflow: async (pieces) => {
      shop = await addWorkflow(pieces, makeRepository(path, 'shop'), 'shop', 'claude');
      return shop;
    },
  });
  await removeFirstWorkflow(stage);
  const ledger = await addWorkflow(stage, makeRepository(path, 'ledger'), 'ledger', 'codex');
  const site = await addWorkflow(stage, makeRepository(path, 'site'), 'site', 'claude');
  const agent = async (agentId: string): Promise<Agent> => {
    return (await stage.call<{ agent: { agent: Agent } }>('GetAgent', { agentId })).agent.agent;
  };
  return {
    ...stage,
    agent,
    folder: path,
    workflows: { shop, ledger, site },
    id(name) {
      const id = ids.get(name);
      if (id === undefined) throw new Error(`${name} was not launched`);
      return id;
    },
    async measured() {
      for (const [name, { diff }] of Object.entries(cast)) {
        const measured = async () => (await agent(ids.get(name) ?? '')).diff;
        if (diff !== undefined) await moment(`the diff of ${name}`, measured, measuredWithinMs);
      }
    },
    async stop() {
      for (const link of links.values()) link.close();
      await stage.stop();
      folder.remove();
    },
  };
}

/** Puts programs in the places of claude and codex; gives the folder that is to be on the PATH. */
function installPlayers(path: string): string {
  const bin = join(path, 'bin');
  for (const harness of ['claude', 'codex'] as const) {
    const first = firstScreens(harness, `${shownHome}/shop`);
    installPlayer({ bin, harness, folder: join(path, harness), first });
  }
  return bin;
}

async function addWorkflow({ call }: Pick<Stage, 'call'>, cwd: string, name: string, harness: string): Promise<string> {
  const context = 'Run the tests with npm test before you finish. Keep commits small.';
  const request = { name, cwd, harness, context, provisionEnabled: true };
  const method = 'workflow.v1.WorkflowService/CreateWorkflow';
  return (await call<{ workflow: { id: string } }>(method, request)).workflow.id;
}

/** Removes the workflow that the service makes of the folder that it is started in. */
async function removeFirstWorkflow({ call }: Stage): Promise<void> {
  interface Listed {
    readonly workflows: readonly { id: string; name: string }[];
  }
  const { workflows } = await call<Listed>('workflow.v1.WorkflowService/ListWorkflows', {});
  const workflowId = workflows.find(({ name }) => name === 'default')?.id;
  await call('workflow.v1.WorkflowService/DeleteWorkflow', { workflowId });
}

/** Launches every agent, the reviewers once there is what they review. */
async function launchAll(fleet: Fleet, { ids }: Notes): Promise<void> {
  const { reviewers = [], authors = [] } = Object.groupBy(Object.entries(cast), ([, { reviews }]) => {
    return reviews === undefined ? 'authors' : 'reviewers';
  });
  for (const parts of [authors, reviewers]) {
    for (const [name, part] of parts) ids.set(name, await launch(fleet, name, part));
    for (const [name] of parts) await fleet.until(fleet.id(name), 'IDLE');
  }
}

function launch(fleet: Fleet, name: string, { repository, harness, task, reviews }: Part): Promise<string> {
  const review = reviews === undefined ? {} : { role: 'AGENT_ROLE_REVIEWER', parentAgentId: fleet.id(reviews) };
  return fleet.launch(name, task, { workflowId: fleet.workflows[repository], harness, ...review });
}

/** Changes the checkout of each agent, and has its pane show a turn and then its scene: what changed is measured after a turn. */
async function playAll(fleet: Fleet, { links }: Notes): Promise<void> {
  const parts = Object.entries(cast);
  for (const [name, { harness, diff }] of parts) {
    if (diff !== undefined) changeCheckout((await fleet.agent(fleet.id(name))).cwd ?? '', diff);
    const link = await reachPlayer(join(fleet.folder, harness), fleet.id(name));
    link.show(firstScreens(harness, shownHome).turn);
    links.set(name, link);
  }
  for (const [name, { repository, scene }] of parts) {
    await fleet.until(fleet.id(name), 'THINKING');
    const screen = screenOf(scene, `${shownHome}/${repository}`);
    const link = links.get(name);
    // A doorbell that is rung begins no turn.
    link?.onTyped(({ what }) => what === 'submitted' && link.show(screen));
    link?.show(screen);
  }
  for (const [name, { scene }] of parts) await fleet.until(fleet.id(name), scene.state);
}

/** Ends one of them, takes another over, marks two, and mails one. */
async function settle(fleet: Fleet, { links }: Notes): Promise<void> {
  links.get('month-end')?.end();
  await moment('month-end to have ended', async () => (await fleet.agent(fleet.id('month-end'))).endedAt);
  await fleet.call('HoldAgent', { agentId: fleet.id('flaky-search') });
  await fleet.call('MarkAgent', { agentId: fleet.id('login-expiry'), mark: 'l' });
  await fleet.call('MarkAgent', { agentId: fleet.id('payment-retries'), mark: 'p' });
  await fleet.call('SendMail', { agentId: fleet.id('invoice-pdf'), body: 'The template moved to src/invoice.' });
}
