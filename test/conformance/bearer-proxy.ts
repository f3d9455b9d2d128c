import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A door before the gateway that brings a token along, for programs that cannot be given one. */
export interface BearerProxy {
  readonly url: string;
  /** Where it passes requests on to. */
  to(port: number): void;
  stop(): Promise<void>;
}

/** Starts a proxy on a free port; everything but the token passes as it is. */
export async function bearerProxy(authorization: string): Promise<BearerProxy> {
  let port = 0;
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization };
    const passed = request({ host: '127.0.0.1', port, path: asked.url, method: asked.method, headers }, (from) => {
      answer.writeHead(from.statusCode ?? 500, from.headers);
      from.pipe(answer);
    });
    answer.once('close', () => passed.destroy());
    passed.once('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    to: (target) => {
      port = target;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
