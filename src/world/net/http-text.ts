import type { IncomingMessage } from 'node:http';
import { httpModuleFor } from '#contract/access/http-module.ts';

/** How much of an answer is read, in characters. */
const maxLength = 64 * 1024;

/** An answer over HTTP. */
export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

/** How an address is asked. */
interface Question {
  /** How long the whole answer may take, in milliseconds. */
  readonly withinMs: number;
  /** Whether the certificate is checked; by default, it is. */
  readonly checksCertificate?: boolean;
}

/**
 * Gets the beginning of a text over a connection of its own, without following redirects. It replaces `fetch`, which takes a
 * process longer to load than all else that it asks. Rejects with Node's error of the connection, or with a TimeoutError.
 */
export async function getText(url: string, { withinMs, checksCertificate = true }: Question): Promise<TextAnswer> {
  const signal = AbortSignal.timeout(withinMs);
  const options = { agent: false as const, signal, rejectUnauthorized: checksCertificate };
  const answered = Promise.withResolvers<IncomingMessage>();
  const asked = httpModuleFor(url).get(url, options, answered.resolve);
  asked.on('error', answered.reject);
  try {
    const answer = await answered.promise;
    return { status: answer.statusCode ?? 0, text: await beginningOf(answer) };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

async function beginningOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    text += String(chunk);
    // To leave the loop closes the connection.
    if (text.length > maxLength) break;
  }
  return text.slice(0, maxLength);
}
