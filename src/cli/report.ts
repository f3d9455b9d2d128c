// Run by bin/muster-report for a hook of the CLI in an agent's pane: fills a reason from the payload on standard input
// and reports it. Whatever goes wrong ends it in silence, and so does its time limit. It imports nothing of muster: it
// runs at every turn of every agent, and loading the contract would take longer than the call.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** How long all of it may take, in milliseconds. */
const limitMs = 5_000;
/** How much of a payload is read, in characters: what is longer is not a payload of a hook that is asked for. */
const longestPayload = 4_000_000;
/** As long as a reason may be, in characters. */
const longestReason = 500;

setTimeout(() => process.exit(), limitMs);
process.on('uncaughtException', () => process.exit());

const [at = '', template = '', sessionField] = process.argv.slice(2);
const reportedAt = new Date(/^\d+$/.test(at) ? Number(at) : performance.timeOrigin).toISOString();
const payload = await readPayload();
const sessionId = sessionField === undefined ? '' : wordOf(payload, sessionField);
await post({ reason: fill(template, payload), ...(sessionId && { sessionId }), reportedAt });
process.exit();

async function readPayload(): Promise<unknown> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > longestPayload) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text with each `{field}` of the payload in its place, as one line that is not too long. */
function fill(text: string, from: unknown): string {
  const filled = text.replace(/\{([\w.]+)\}/g, (_, field: string) => wordOf(from, field));
  const line = filled.replace(/\s+/g, ' ').replace(/[: ]+$/, '');
  return [...line.slice(0, 2 * longestReason)].slice(0, longestReason).join('');
}

/** A field such as `error.name`, if it is a text. */
function wordOf(from: unknown, field: string): string {
  const found = field.split('.').reduce<unknown>((value, key) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? Reflect.get(value, key)
      : undefined;
  }, from);
  return typeof found === 'string' ? found : '';
}

/** Calls the operation. No proxy is asked, whatever the environment says: the token is for muster alone. */
function post(body: object): Promise<void> {
  const { SERVICE_BASE_URL: base = '', SERVICE_TOKEN: token = '' } = process.env;
  const url = new URL(`${base}/agent.v1.AgentService/ReportReason`);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const call = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, { method: 'POST', headers }, (answer) => {
    answer.resume().on('end', resolve);
  });
  call.on('error', reject);
  call.end(JSON.stringify(body));
  return promise;
}
