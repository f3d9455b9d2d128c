// bin/muster-report runs this for a hook of the CLI in an agent's pane. It builds a reason from the payload on standard
// input and reports it. Errors and the time limit end it silently. It imports nothing of muster, because it runs at every
// turn of every agent, and loading the contract would take longer than the call.

/** The time limit of the whole program, in milliseconds. */
const limitMs = 5_000;
/** The maximum length of a payload, in characters. Hooks do not send longer ones. */
const maxPayload = 4_000_000;
/** The maximum length of a reason, in characters. */
const maxReason = 500;

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
    if (text.length > maxPayload) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text with each `{field}` replaced from the payload, as one line of limited length. */
function fill(text: string, from: unknown): string {
  const filled = text.replace(/\{([\w.]+)\}/g, (_, field: string) => wordOf(from, field));
  const line = filled.replace(/\s+/g, ' ').replace(/[: ]+$/, '');
  return [...line.slice(0, 2 * maxReason)].slice(0, maxReason).join('');
}

/** A field such as `error.name`, if it is a string. */
function wordOf(from: unknown, field: string): string {
  const found = field.split('.').reduce<unknown>((value, key) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? Reflect.get(value, key)
      : undefined;
  }, from);
  return typeof found === 'string' ? found : '';
}

/** Calls the operation, never through a proxy, because the token is only for muster. */
function post(body: object): Promise<void> {
  const { SERVICE_BASE_URL: base = '', SERVICE_TOKEN: token = '' } = process.env;
  const url = new URL(`${base}/agent.v1.AgentService/ReportReason`);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  // An `import` of `node:http` would load undici too, which takes longer than the call.
  const http = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const call = http.request(url, { method: 'POST', headers }, (answer) => {
    answer.resume().on('end', resolve);
  });
  call.on('error', reject);
  call.end(JSON.stringify(body));
  return promise;
}
