import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentCaller, agentCaller } from '#test/support/agent-caller.ts';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { type PlayedScreen, playedScreen } from './screens.ts';

const player = fileURLToPath(new URL('./screen-player.mjs', import.meta.url));
const service = 'agent.v1.AgentService';

/** The screens that agents of the stage begin with: at rest, and in a turn. */
export const restScreen = playedScreen('claude/fresh-200x50');
export const turnScreen = playedScreen('claude/stream.mid-200x50');

/** Something that was typed into a pane of the stage, and what it showed by then. */
export interface Typed {
  readonly what: 'pasted' | 'pressed' | 'submitted';
  readonly text: string;
  /** The screen that was shown, and whether a pasted text stood in it. */
  readonly on: string;
  readonly isDraft: boolean;
  /** When it came, in milliseconds since 1970, and for how long the screen had been shown. */
  readonly at: number;
  readonly sinceMs: number;
}

/** An agent whose CLI shows what a test reports it to. */
export interface PlayedAgent extends AgentCaller {
  show(screen: PlayedScreen): void;
  /** Learns of everything that is typed from now on. */
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
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\nexec ${process.execPath} ${player} ${folder.path}\n`);
  chmodSync(join(bin, 'claude'), 0o755);
  writeFileSync(join(folder.path, 'first-screens.json'), JSON.stringify({ rest: restScreen, turn: turnScreen }));
  const sockets: Socket[] = [];
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
      const socket = await connected(join(folder.path, agent.id.slice(-12)));
      sockets.push(socket);
      return {
        ...(await agentCaller(pieces, agent.id)),
        comesTo,
        show: (screen) => void socket.write(`${JSON.stringify(screen)}\n`),
        onTyped: (listener) => hear(socket, listener),
      };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
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

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    socket.once('error', reject);
  });
}

function hear(socket: Socket, listener: (typed: Typed) => void): void {
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk;
    for (let at = said.indexOf('\n'); at >= 0; at = said.indexOf('\n')) {
      listener(JSON.parse(said.slice(0, at)) as Typed);
      said = said.slice(at + 1);
    }
  });
}
