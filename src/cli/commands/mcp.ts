import type { Command } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { Relay } from '#cli/mcp/relay.ts';
import { linesOf } from '#cli/print/lines.ts';

/** How long calls in progress may continue after the client has left, in milliseconds. */
const endTimeoutMs = 5_000;

/** `muster mcp`: MCP over standard input and output, for a client that starts its servers as programs. */
export const define: Define = (command: Command, session: Session) => {
  command
    .description(
      'Serves MCP on standard input and output, for agents and other clients that start servers as programs. Every operation ' +
        'is a tool. It keeps working across restarts of the service. Clients may also use the service directly, at /mcp of its ' +
        'address, with a bearer token.',
    )
    .action(() => serve(session));
};

async function serve(session: Session): Promise<void> {
  const { io } = session;
  // A missing token is reported at start, and not only to the client.
  session.connection();
  const write = (message: object) => io.stdout.write(`${JSON.stringify(message)}\n`);
  const relay = new Relay({ connection: () => session.connection(), write });
  for await (const line of linesOf(io.stdin)) relay.take(line);
  await relay.end(endTimeoutMs);
}
