import { join } from 'node:path';
import { type AgentCaller, agentCaller } from '#test/support/agent-caller.ts';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { installPlayer, type PlayerLink, reachPlayer, type Typed } from './player-link.ts';
import { type PlayedScreen, playedScreen } from './screens.ts';

const service = 'agent.v1.AgentService';

/** The screens that agents of the stage begin with: at rest, and in a turn. */
export const restScreen = playedScreen('claude/fresh-200x50');
export const turnScreen = playedScreen('claude/stream.mid-200x50');

/** An agent whose CLI shows what a test wants. */
export interface PlayedAgent extends AgentCaller {
  show(screen: PlayedScreen): void;
  /** Receives everything that is typed from now on. */
  onTyped(listener: (typed: Typed) => void): void;
  /** Resolves once the row shows a state. */
  comesTo(state: string): Promise<void>;
}

/** A whole installation with two hosts, and agents whose panes play real screens. */
export interface Stage {
  readonly pieces: Pieces;
  /** Launches an agent on the first or the second host, and waits until it is idle. */
  launch(name: string, host: 0 | 1): Promise<PlayedAgent>;
  close(): Promise<void>;
}

/** Starts the installation. */
export async function openStage(): Promise<Stage> {
  const folder = temporaryFolder('rings');
  const bin = join(folder.path, 'bin');
  const first = { rest: restScreen, turn: turnScreen };
  installPlayer({ bin, harness: 'claude', folder: folder.path, first });
  const links: PlayerLink[] = [];
  const pieces = await setUpPieces(undefined, {
    PATH: `${bin}:${process.env['PATH']}`,
    MUSTER_MAIL_PER_MINUTE: '1000000',
    MUSTER_MAIL_HOPS: '1000000',
  });
  for (const piece of ['registry', 'host', 'otherHost', 'gateway'] as const) await pieces.start(piece);
  const { hosts } = await pieces.call<{ hosts: { id: string }[] }>('host.v1.HostService/ListHosts', {});
  const { workflow } = await pieces.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
    name: 'stage',
    cwd: pieces.repository,
    harness: 'claude',
    provisionEnabled: false,
  });
  return {
    pieces,
    async launch(name, host) {
      const { agent } = await pieces.call<{ agent: { id: string } }>(`${service}/CreateAgent`, {
        prompt: 'begin',
        title: name,
        workflowId: workflow.id,
        host: hosts[host]?.id,
        role: 'AGENT_ROLE_ORCHESTRATOR',
      });
      const comesTo = (state: string) => rowComesTo(pieces, agent.id, state);
      await comesTo('AGENT_STATE_IDLE');
      const link = await reachPlayer(folder.path, agent.id);
      links.push(link);
      return {
        ...(await agentCaller(pieces, agent.id)),
        comesTo,
        show: link.show,
        onTyped: link.onTyped,
      };
    },
    async close() {
      for (const link of links) link.close();
      await pieces.stop();
      folder.remove();
    },
  };
}

async function rowComesTo(pieces: Pieces, agentId: string, state: string): Promise<void> {
  await moment(
    `${agentId} comes to ${state}`,
    async () => {
      const { agent } = await pieces.call<{ agent: { agent: { state: string } } }>(`${service}/GetAgent`, { agentId });
      return agent.agent.state === state;
    },
    120_000,
  );
}
