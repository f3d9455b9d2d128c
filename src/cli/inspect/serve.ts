import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Session } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';
import { refusalOf, refuse, secretPath } from './attach-check.ts';
import { observeInstances, type Subject } from './observed.ts';

/** The instances to serve, and the allowed receivers. */
export interface InspectorOptions {
  readonly machines: readonly string[];
  /** The only agents to observe, by name; none for every instance. */
  readonly agents: readonly string[];
  /** Zero means any free port. */
  readonly port: number;
  /** The origins of pages that may attach; undefined for those of this computer and Stately's. */
  readonly origins: readonly string[] | undefined;
  readonly withContext: boolean;
}

const loopback = '127.0.0.1';
/** How many receivers may be attached at once. */
const max = 8;
/** The maximum size of a receiver's message, in bytes. Receivers need not send any. */
const maxMessageBytes = 1_024;
/** How long a receiver may take to close its connection, in milliseconds. */
const closeTimeoutMs = 1_000;
/** WebSocket close codes. */
const closing = { goingAway: 1001, failed: 1011, full: 1013 } as const;

/** Serves the inspector's events to whoever attaches, until the command ends. */
export async function serveInspector({ io, client: connect }: Session, serving: InspectorOptions): Promise<void> {
  const client = connect();
  const subject = await subjectOf(client, serving);
  const path = secretPath();
  const stop = new AbortController();
  const ended = io.signal ?? stop.signal;
  const server = createServer((_request, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  server.on('upgrade', (request, socket, head) => {
    // A receiver that leaves during the handshake is not an error.
    socket.on('error', () => socket.destroy());
    const refusal = refusalOf(request, path, serving.origins);
    if (refusal !== undefined) return refuse(socket, refusal);
    sockets.handleUpgrade(request, socket, head, (receiver) => {
      if (sockets.clients.size > max) receiver.close(closing.full, `${max} are attached`);
      else void sendFrames(io, client, subject, receiver, ended);
    });
  });
  io.stdout.write(`ws://${loopback}:${await listen(server, serving.port)}${path}\n`);
  io.stderr.write(
    'Give this address to a receiver of Stately’s inspector; anyone who has it sees what you see. Ctrl-C ends it.\n',
  );
  if (!ended.aborted) await once(ended, 'abort');
  await close(server, sockets);
}

async function subjectOf(client: Client, { machines, agents, withContext }: InspectorOptions): Promise<Subject> {
  const definitions = new Map<string, string>();
  for (const name of machines) {
    const { definition = '{}' } = await client.call('fact.v1.FactService/GetMachine', { name });
    definitions.set(name, definition);
  }
  const found = await Promise.all(agents.map((said) => findAgent(client, said)));
  return { definitions, withContext, ids: found.length > 0 ? [...new Set(found.map(({ id }) => id))] : undefined };
}

async function sendFrames(io: CliIo, client: Client, subject: Subject, receiver: WebSocket, ended: AbortSignal) {
  const left = new AbortController();
  receiver.on('error', () => receiver.terminate());
  receiver.once('close', () => left.abort());
  try {
    const signal = AbortSignal.any([ended, left.signal]);
    for await (const frame of observeInstances({ ...io, signal }, client, subject))
      await send(receiver, JSON.stringify(frame));
  } catch (error) {
    if (left.signal.aborted || ended.aborted) return;
    io.stderr.write(`${printable(error instanceof Failure ? error.message : String(error))}\n`);
    receiver.close(closing.failed, 'muster cannot send more');
  }
}

/** Resolves once the message is sent, so that nothing piles up for a slow receiver. */
function send(receiver: WebSocket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    receiver.send(text, (error) => (error ? reject(error) : resolve()));
  });
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, loopback);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Failure('PORT_TAKEN', `port ${port} is not available: choose another, or --port 0 for any`, {
      cause: error,
    });
  }
  return (server.address() as AddressInfo).port;
}

async function close(server: Server, sockets: WebSocketServer): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const receiver of sockets.clients) {
    receiver.close(closing.goingAway);
    setTimeout(() => receiver.terminate(), closeTimeoutMs).unref();
  }
  await closed;
}
