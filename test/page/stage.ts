import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { pageOrigin } from '#contract/access/page-address.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import type { HarnessFile } from '#contract/pane/harness-file.ts';
import { openLocal } from '#service/local.ts';
import { confirmLaunch } from '#test/support/confirm-launch.ts';
import { moment } from '#test/support/moment.ts';
import { type ownProgram, type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { closeContexts, sharedBrowser } from './browser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const player = fileURLToPath(new URL('player.mjs', import.meta.url));

/** For how long a page is waited for, as `until` waits for an agent: a busy machine takes its time. */
const defaultTimeoutMs = 40_000;

/** A whole service with scripted agents, and a browser before its page. */
export interface Stage {
  readonly pieces: Pieces;
  readonly browser: Browser;
  /** Where the page lives. */
  readonly pageUrl: string;
  /** Launches a scripted agent; its prompt says what it does (see player.mjs). Gives its id. */
  launch(title: string, prompt: string, more?: object): Promise<string>;
  call<T>(method: string, request: object): Promise<T>;
  /** Waits until an agent is in a state, such as `WAITING`. */
  until(agentId: string, state: string): Promise<void>;
  /** A new browser, signed in, at a path. What the page itself reports as an error fails the test that opened it. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** An address that signs in once. */
  signInAddress(): Promise<string>;
  /** What pages reported as errors. */
  readonly faults: string[];
  /** Deletes all agents, and waits until they are gone. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/** How a stage may be another one than the usual. */
export interface StageOptions {
  /** Additional arguments of the scripted agents' program. */
  readonly playerArguments?: readonly string[];
  /** The programs that are started as the pieces of muster. */
  readonly programOf?: typeof ownProgram;
  /** Additional environment variables of muster's processes. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Adds another workflow than that of the scripted agents, and gives its id. */
  readonly workflow?: (pieces: Pieces) => Promise<string>;
}

/** Builds the page if it is stale. */
export function buildPage(): void {
  execFileSync(process.execPath, [join(root, 'bin', 'page.mjs')], { cwd: root, stdio: 'ignore' });
}

/** Builds the page if it is stale, starts everything, and adds a scripted harness unless a workflow is given. */
export async function setStage({
  playerArguments = [],
  programOf,
  settings,
  workflow,
}: StageOptions = {}): Promise<Stage> {
  buildPage();
  const pieces = await setUpPieces(programOf, settings);
  for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
  const workflowId = await (workflow?.(pieces) ?? addWorkflow(pieces, playerArguments));
  const browser = await sharedBrowser();
  const pageUrl = pageOrigin(pieces.url);
  const faults: string[] = [];
  const call = <T>(method: string, request: object): Promise<T> => {
    return pieces.call<T>(method.includes('/') ? method : `agent.v1.AgentService/${method}`, request);
  };
  const signInAddress = async (): Promise<string> => {
    const { oneTimeCode } = await call<{ oneTimeCode: string }>('session.v1.SessionService/CreateSignInCode', {});
    return `${pageUrl}/#code=${oneTimeCode}`;
  };
  return {
    pieces,
    browser,
    pageUrl,
    call,
    signInAddress,
    faults,
    async launch(title, prompt, more = {}) {
      const request = { title, prompt, workflowId, ...more };
      return (await call<{ agent: { id: string } }>('CreateAgent', request)).agent.id;
    },
    async until(agentId, state) {
      await moment(`${agentId} to be ${state}`, async () => {
        const { agent } = await call<{ agent: { agent: { state: string } } }>('GetAgent', { agentId });
        return agent.agent.state === `AGENT_STATE_${state}`;
      });
    },
    async open(path = '/', options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(defaultTimeoutMs);
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (/content security policy/i.test(message.text())) faults.push(message.text());
      });
      await page.goto(await signInAddress());
      await page.getByText('live', { exact: true }).waitFor();
      if (path !== '/') await page.goto(`${pageUrl}${path}`);
      return page;
    },
    async clear() {
      const all = async () => (await call<{ agents?: AgentRow[] }>('ListAgents', {})).agents ?? [];
      for (const { agent } of await all())
        await call('DeleteAgent', { agentId: agent?.id, force: true }).catch((error: unknown) => {
          // A child has gone with its parent.
          if (!String(error).includes(' answered 404: ')) throw error;
        });
      await moment('every agent to be gone', async () => (await all()).length === 0);
    },
    async stop() {
      await closeContexts(browser);
      await pieces.stop();
    },
  };
}

/** A workflow whose agents are the scripted ones, each in its own worktree; its id. */
async function addWorkflow(pieces: Pieces, playerArguments: readonly string[]): Promise<string> {
  const local = await openLocal(pieces.home);
  const { path: file } = await local.addHarness({ name: 'scripted', command: process.execPath, like: undefined });
  const scaffold = JSON.parse(readFileSync(file, 'utf8')) as HarnessFile;
  const program = [player, ...playerArguments];
  const launch = { ...scaffold.launch, versionArgs: ['--version'], start: program, resume: program };
  writeFileSync(file, JSON.stringify({ ...scaffold, launch }, null, 2));
  // The program does what its prompt says, which nothing may follow.
  mkdirSync(join(pieces.home, 'briefings'), { recursive: true });
  for (const role of ['implementer', 'reviewer', 'orchestrator']) {
    writeFileSync(join(pieces.home, 'briefings', `${role}.md`), '');
  }
  await confirmLaunch(pieces, 'scripted');
  await moment('the host to tell of the harness', async () => {
    const { hosts } = await pieces.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {});
    return hosts[0]?.harnesses?.includes('scripted') ?? false;
  });
  const request = { name: 'shop', cwd: pieces.repository, harness: 'scripted', provisionEnabled: true };
  const method = 'workflow.v1.WorkflowService/CreateWorkflow';
  return (await pieces.call<{ workflow: { id: string } }>(method, request)).workflow.id;
}
