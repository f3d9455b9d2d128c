import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Path, RequestOf, ResponseOf } from '#cli/client/client.ts';
import { frameOf, framesOf } from '#cli/client/stream.ts';
import { Failure } from '#contract/failure.ts';
import { type Operation, pathOf } from '#contract/operation.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { failureCodes } from '#contract/reason/failure-code.ts';
import { operations } from '#contract/table.ts';
import { refusalWith } from '#test/support/failure.ts';
import { findInLists } from './find-in-lists.ts';

/** A call as it came in: held to the contract, so a field that the contract does not know fails the call. */
export interface SeenCall {
  readonly path: string;
  readonly request: unknown;
  readonly token: string | undefined;
}

type Answer<P extends Path> = (request: RequestOf<P>) => ResponseOf<P>;
type Answers<P extends Path> = (request: RequestOf<P>) => AsyncIterable<ResponseOf<P>>;

/** A small service that speaks Connect's JSON, with the answers that a test gives it. */
export interface FakeService {
  readonly url: string;
  readonly calls: readonly SeenCall[];
  /** Answers an operation; a Failure that is thrown is the answer too. */
  on<P extends Path>(path: P, answer: Answer<P>): void;
  /** Answers a watch; a Failure that is thrown ends the stream with it. */
  onWatch<P extends Path>(path: P, answers: Answers<P>): void;
  /** Answers every other operation with an empty response instead of refusing it. */
  answerAll(): void;
  /** Requests of one operation, in order. */
  requestsOf(path: Path): unknown[];
  close(): Promise<void>;
}

/**
 * Starts the service on loopback, on a free port unless one is named. `answerHttp` takes a request before it is looked
 * at.
 */
export async function fakeService(
  answerHttp: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
  port = 0,
): Promise<FakeService> {
  const rows = new Map(operations.map((row) => [`/${pathOf(row)}`, row]));
  const answers = new Map<string, (request: unknown) => unknown>();
  const calls: SeenCall[] = [];
  let otherwise: object | undefined;
  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (answerHttp(message, response)) return;
    const row = rows.get(message.url ?? '');
    if (row === undefined) throw refusalWith('unimplemented', `there is no ${message.url}`);
    // As the gateway has it: whether the caller may ask at all is not a call.
    if (message.headers['content-type'] === 'application/x-muster-offer')
      throw refusalWith('invalid_argument', 'that is no content type');
    const request = await readRequest(message, row);
    calls.push({ path: pathOf(row), request, token: message.headers.authorization?.replace('Bearer ', '') });
    const give = answers.get(pathOf(row)) ?? (row.method === 'FindAgent' ? findInLists(answers) : undefined);
    const answered = give?.(request) ?? otherwise;
    if (answered === undefined) throw refusalWith('unimplemented', `the test has no answer for ${row.method}`);
    if (row.watch === undefined) sendJson(response, 200, checked(row, answered));
    else await sendStream(response, row, answered as AsyncIterable<unknown>);
  };
  const server = createServer((message, response) => {
    answer(message, response).catch((error: unknown) => {
      const failure = error instanceof Failure ? error : refusalWith('internal', String(error));
      sendJson(response, failureCodes[failure.code].status, failure);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    on: (path, give) => void answers.set(path, give as (request: unknown) => unknown),
    onWatch: (path, give) => void answers.set(path, give as (request: unknown) => unknown),
    answerAll: () => {
      otherwise = {};
    },
    requestsOf: (path) => calls.filter((call) => call.path === path).map(({ request }) => request),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(message: IncomingMessage, row: Operation): Promise<unknown> {
  const type = row.watch === undefined ? 'application/json' : 'application/connect+json';
  expect(message.headers['content-type']).to.equal(type);
  expect(message.method).to.equal('POST');
  const body = await buffer(message);
  const frame = row.watch === undefined ? undefined : (await framesOf([body]).next()).value;
  const sent: unknown = JSON.parse(frame?.payload ?? body.toString());
  const request = parseRequest(row.request, sent);
  expect(request, 'every field that was sent is one of the contract').to.deep.equal(sent);
  return request;
}

function checked(row: Operation, response: unknown): unknown {
  const parsed = row.response.parse(response);
  expect(parsed, 'the test answers as the contract says').to.deep.equal(response);
  return parsed;
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function sendStream(response: ServerResponse, row: Operation, answers: AsyncIterable<unknown>): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/connect+json' }).flushHeaders();
  let end: object = {};
  try {
    for await (const one of answers[Symbol.asyncIterator] ? answers : []) {
      response.write(frameOf(JSON.stringify(checked(row, one))));
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    end = { error };
  }
  response.end(frameOf(JSON.stringify(end), 2));
}
