import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Hold } from './hold.ts';
import type { ModelRequest } from './model-request.ts';
import type { Part } from './part.ts';
import { scriptOf } from './script.ts';
import type { Api, Send, Voice } from './voice.ts';

/** How often a held answer says another piece, in milliseconds: about as fast as a model does. */
const pieceMs = 60;

/** Answers a request, as a stream of events unless the API has whole answers, held where its script says so. It ends early where the CLI goes away. */
export async function answer(api: Api, request: ModelRequest, response: ServerResponse, hold: Hold): Promise<void> {
  const send: Send = (name, data) => {
    const event = name === undefined ? '' : `event: ${name}\n`;
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(api.isWhole ? text : `${event}data: ${text}\n\n`);
  };
  const script = scriptOf(request);
  const [first] = script;
  if (first?.kind === 'refusal') return refuse(first.status, response);
  const type = api.isWhole ? 'application/json' : 'text/event-stream';
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' });
  response.flushHeaders();
  const voice = api.voice(send, request);
  if (first?.kind === 'held' && first.as === 'silence') await hold.wait(response);
  voice.begin();
  for (const [place, part] of script.entries()) {
    if (response.destroyed) return;
    if (part.kind === 'held' && part.as === 'silence') {
      if (place > 0) await hold.wait(response);
      continue;
    }
    if (part.kind === 'cut') return void response.destroy();
    if (part.kind !== 'refusal') await say(part, voice, response, hold);
  }
  voice.end();
  response.end();
}

/** Every vendor's error in one: each CLI reads the field that it knows. */
function refuse(status: number, response: ServerResponse): void {
  const message = status === 429 ? 'the stub has had too many requests' : 'the stub has failed';
  const [type, name] =
    status === 429
      ? ['rate_limit_error', 'RESOURCE_EXHAUSTED']
      : status < 500
        ? ['invalid_request_error', 'INVALID_ARGUMENT']
        : ['api_error', 'INTERNAL'];
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '2' }) });
  response.end(JSON.stringify({ type: 'error', error: { type, message, code: status, status: name } }));
}

/** Refuses for the usage limit of a subscription, as each vendor does, until a time in milliseconds. */
export function refuseForLimit(until: number, response: ServerResponse): void {
  const seconds = until / 1_000;
  response.writeHead(429, {
    'content-type': 'application/json',
    'x-should-retry': 'false',
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(seconds),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-5h-status': 'rejected',
    'anthropic-ratelimit-unified-5h-reset': String(seconds),
    'anthropic-ratelimit-unified-5h-utilization': '1',
  });
  const message = 'The usage limit has been reached';
  const error = { type: 'usage_limit_reached', message, plan_type: 'plus', resets_at: seconds };
  response.end(JSON.stringify({ type: 'error', error }));
}

async function say(
  part: Exclude<Part, { readonly kind: 'refusal' | 'cut' }>,
  voice: Voice,
  response: ServerResponse,
  hold: Hold,
): Promise<void> {
  if (part.kind === 'call') return voice.call(part.tool, part.input);
  voice.open(part.kind === 'held' ? (part.as as 'text' | 'thought') : part.kind);
  if (part.kind === 'held') await ramble(voice, response, hold);
  else voice.piece(part.text);
  voice.close();
}

async function ramble(voice: Voice, response: ServerResponse, hold: Hold): Promise<void> {
  let over = false;
  const released = hold.wait(response).then(() => {
    over = true;
  });
  for (let words = 1; !over; words += 1) {
    voice.piece(words % 12 === 0 ? `word ${words}.\n\n` : `word ${words} `);
    hold.said += 1;
    await Promise.race([released, pause(pieceMs)]);
  }
}
