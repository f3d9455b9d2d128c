import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Double, type DoubleRequest, headersOf, textOf } from './double.ts';

/** The fault that replaces an answer; undefined if the fake forge answers. */
export type Fault = (request: DoubleRequest, response: ServerResponse) => boolean | undefined;

/** A fake forge that listens on loopback. */
export interface DoubleServer {
  readonly address: string;
  /** Every request that came, in order. */
  readonly requests: DoubleRequest[];
  /** How many bytes of bodies it sent. */
  readonly bytesSent: number;
  fault: Fault | undefined;
  double: Double;
  /**
   * @throws Error when the fake got a request that it does not support, or sent an answer that the forge would not.
   */
  close(): Promise<void>;
}

/** Starts a fake forge on a free port. */
export async function serveDouble(double: Double): Promise<DoubleServer> {
  const requests: DoubleRequest[] = [];
  const errors: unknown[] = [];
  let bytesSent = 0;
  const server = createServer((incoming, response) => {
    void readRequest(incoming)
      .then(async (request) => {
        requests.push(request);
        if (served.fault?.(request, response)) return;
        const answer = await served.double(request);
        const text = textOf(answer);
        bytesSent += Buffer.byteLength(text);
        response.writeHead(answer.status, headersOf(answer)).end(text);
      })
      .catch((error: unknown) => {
        errors.push(error);
        response.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served: DoubleServer = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get bytesSent() {
      return bytesSent;
    },
    fault: undefined,
    double,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      if (errors.length > 0) throw errors[0];
    },
  };
  return served;
}

async function readRequest(incoming: IncomingMessage): Promise<DoubleRequest> {
  let body = '';
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`);
  return { method: incoming.method ?? 'GET', url, headers, body };
}
