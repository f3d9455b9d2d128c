import { once } from 'node:events';
import { createServer } from 'node:net';
import { Failure } from '#contract/failure.ts';

/**
 * Whether a TCP port can be listened on at an address; port 0 finds any free one. Gives the port, or undefined where it
 * is taken. The port is free again when this returns, so another program may still be quicker.
 * @throws Failure `failed_precondition` where it is not taken and still cannot be listened on.
 */
export async function freePort(address: string, port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen({ host: address, port, exclusive: true });
    await once(server, 'listening');
    const bound = server.address();
    return typeof bound === 'object' && bound !== null ? bound.port : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure('failed_precondition', `Port ${port} on ${address} cannot be listened on: ${why}`, {
      cause: error,
    });
  } finally {
    server.close();
  }
}
