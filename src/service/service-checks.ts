import { type Connection, findConnection } from '#cli/client/connection.ts';
import { call } from '#cli/client/http.ts';
import { processIo } from '#cli/client/io.ts';
import { counted } from '#cli/print/counted.ts';
import { Failure } from '#contract/failure.ts';
import { type Check, type CheckedPart, fromWireCheck, well } from '#contract/host/check.ts';
import type { Config } from '#contract/process-context.ts';
import { defaultAgent, offerText } from './greeting/offered-agents.ts';

/** How long the gateway may take to answer, in milliseconds. */
const answersWithin = 3_000;

/** The checks of a part of the running service, made by that part itself. */
export interface Part {
  readonly name: string;
  readonly checks: readonly Check[];
}

/** The checks of the service: through its gateway, and by the registry and each host. */
export interface ServiceFindings {
  readonly checks: readonly Check[];
  readonly parts: readonly Part[];
}

/**
 * Checks the service through its gateway, if one runs at the configured address. A gateway on any free port (port 0) is
 * not searched.
 */
export async function examineService(config: Config, environment: NodeJS.ProcessEnv): Promise<ServiceFindings> {
  const isNamed = environment['SERVICE_BASE_URL'] || environment['MUSTER_URL'];
  if (config.port === 0 && !isNamed) return { checks: [], parts: [] };
  const connection = connectionIn(config, environment);
  const alive = await asked(`${connection.baseUrl}/healthz`);
  if (alive === undefined) {
    const found = `nothing answers at ${connection.baseUrl}: muster is not running there`;
    return { checks: [well('service', found)], parts: [] };
  }
  const checks = [checkService(connection, alive.status), await checkPageAnswer(connection)];
  const metrics = await checkMetrics(connection);
  try {
    const parts = await runDoctor(connection);
    const signedIn = well('sign-in', 'the operator’s token is accepted');
    return { checks: [...checks, metrics, signedIn, ...(await checkDefaultAgent(connection))], parts };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { checks: [...checks, metrics, refusedSignIn(error)], parts: [] };
  }
}

/** One host's checks of its computer. @throws Failure when the service does not answer */
export async function examineHost(config: Config, environment: NodeJS.ProcessEnv, hostId: string): Promise<Part> {
  const [part] = await runDoctor(connectionIn(config, environment), { hostId });
  if (part === undefined) throw new Failure('INTERNAL', 'The service reports nothing about the host: update it');
  return part;
}

function connectionIn(config: Config, environment: NodeJS.ProcessEnv): Connection {
  const env = { MUSTER_URL: config.baseUrl, ...environment, MUSTER_HOME: config.home };
  return findConnection({ ...processIo(), env });
}

async function runDoctor(connection: Connection, request = {}): Promise<Part[]> {
  const answer = (await call(connection, 'host.v1.HostService/RunDoctor', request)) as { parts?: CheckedPart[] };
  return (answer.parts ?? []).map(({ name = '', hostId = '', checks = [] }) => ({
    name: hostId === '' ? name : `host ${name}`,
    checks: checks.map(fromWireCheck),
  }));
}

function checkService({ baseUrl }: Connection, status: number): Check {
  if (status === 200) return well('service', `answers at ${baseUrl}`);
  const mend = 'end that program, or set MUSTER_PORT or MUSTER_URL to where muster runs';
  return { name: 'service', outcome: 'fail', found: `the server at ${baseUrl} is not muster`, mend };
}

async function checkPageAnswer({ baseUrl }: Connection): Promise<Check> {
  const name = 'page’s address';
  const answer = await asked(`${baseUrl}/`, { accept: 'text/html' });
  if (answer !== undefined && /<script[^>]+type="module"/.test(answer.text))
    return well(name, `${baseUrl}/ answers with the page`);
  if (answer?.status === 307) return well(name, `the page is at ${new URL(answer.location).origin}`);
  const found = `${baseUrl}/ answers without the page`;
  return { name, outcome: 'warn', found, mend: 'build it with `node bin/page.mjs`, and restart the gateway' };
}

async function checkMetrics({ baseUrl, token = '' }: Connection): Promise<Check> {
  const answer = await asked(`${baseUrl}/metrics`, { authorization: `Bearer ${token}` });
  if (answer?.status === 200) return well('metrics', `served at ${baseUrl}/metrics`);
  const found = `${baseUrl}/metrics answers ${answer === undefined ? 'nothing' : `HTTP ${answer.status}`}`;
  return { name: 'metrics', outcome: 'warn', found, mend: '`muster logs gateway` says more' };
}

/** The harness of the workflow `default`, and any CLI installed later that it could run. */
async function checkDefaultAgent(connection: Connection): Promise<Check[]> {
  const runs = await defaultAgent(connection);
  if (runs === undefined) return [];
  const name = 'workflow default';
  const offer = offerText(runs, 'muster');
  return [well(name, offer === undefined ? `its agents run ${runs.harness}` : `its agents run shell. ${offer}`)];
}

function refusedSignIn({ code, message }: Failure): Check {
  if (code === 'unauthenticated') {
    return {
      name: 'sign-in',
      outcome: 'fail',
      found: message,
      mend: 'sign-in from here is impossible until this is fixed',
    };
  }
  if (code === 'unimplemented' || code === 'permission_denied') {
    return {
      name: 'sign-in',
      outcome: 'warn',
      found: message,
      mend: 'run this as the user who runs the service, with the same version of muster',
    };
  }
  return {
    name: 'registry',
    outcome: 'fail',
    found: message,
    mend: 'no call is answered until this is fixed: `muster logs` says more',
  };
}

/** The answer of an address to a GET; undefined if there is none in time. */
async function asked(url: string, headers: Readonly<Record<string, string>> = {}) {
  try {
    const answer = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(answersWithin) });
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') ?? url };
  } catch {
    return undefined;
  }
}

/** What a person chooses isolation and limits by, on each host: shown also if nothing is wrong. */
const choices: ReadonlySet<string> = new Set(['sandbox', 'container', 'limits']);

/**
 * The checks of a part that found something wrong, except those already shown for this computer, and how many passed if
 * none did; then how agents can be isolated and limited there.
 */
export function inShort({ name, checks }: Part, said: readonly Check[]): Check[] {
  const isSaid = (one: Check) => said.some((other) => other.name === one.name && other.found === one.found);
  const named = (check: Check): Check => ({ ...check, name: `${name}: ${check.name}` });
  const isChoice = (check: Check) => check.outcome === 'ok' && choices.has(check.name);
  const wrong = checks.filter((check) => check.outcome !== 'ok' && !isSaid(check));
  const passed = checks.filter(({ outcome }) => outcome === 'ok').length;
  const summary: Check = { name, outcome: 'ok', found: `${counted(passed, 'check')} passed`, mend: '' };
  return [...(wrong.length > 0 ? wrong.map(named) : [summary]), ...checks.filter(isChoice).map(named)];
}
