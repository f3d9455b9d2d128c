import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Operation } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { referencePages } from '#service/reference/pages.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { paneAtWork } from '#test/channels/pane-at-work.ts';
import { trials } from '#test/channels/requests.ts';
import { runInside } from '#test/cli/command-line.ts';
import { connectOverHttp } from '#test/gateway/mcp-client.ts';
import type { RegistryFixture } from '#test/registry/registry-fixture.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';
import { isSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';

const run = promisify(execFile);

/** The example of one operation, as its page shows it. */
interface Example {
  readonly curl: string;
  readonly mcp: string;
  readonly command: string;
}
type Way = (text: string, instance: Instance, row: Operation) => Promise<unknown>;

const pages = Object.keys(referencePages()).map((path) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
);
const [, prelude = ''] = /```sh\n(.*?)```/s.exec(pages[0] ?? '') ?? [];
const shown = new Map(
  pages.flatMap((page) =>
    page.split(/^## /m).flatMap((chapter): (readonly [string, Example])[] => {
      const [, name = ''] = /^(\w+)\n/.exec(chapter) ?? [];
      const blocks = /```sh\n(.*?)```\n```json\n(.*?)```\n```sh\n(.*?)```/s.exec(chapter);
      const [, curl = '', mcp = '', command = ''] = blocks ?? [];
      return blocks === null ? [] : [[name, { curl, mcp, command }]];
    }),
  ),
);

/** Each runs what the page prints, in the way that its reader would. */
const ways: Readonly<Record<keyof Example, Way>> = {
  async curl(text, { url, fixture }, row) {
    const env = { ...bareEnvironment(), MUSTER_URL: url, TOKEN: fixture.operatorToken };
    // curl ends a watch by its time limit, and says so.
    const ran = run('bash', ['-c', `set -euo pipefail\n${prelude}${text}`], { env, encoding: 'buffer' });
    const { stdout } = await ran.catch((error: { code?: number; stdout: Buffer }) => {
      if (row.watch === undefined || error.code !== 28) throw error;
      return error;
    });
    return JSON.parse(row.watch === undefined ? stdout.toString() : firstMessage(stdout));
  },
  async mcp(text, { url, fixture }) {
    const { method, params } = JSON.parse(text) as { method: string; params: { name: string; arguments: object } };
    expect(method).to.equal('tools/call');
    const client = await connectOverHttp(url, '2025', fixture.operatorToken);
    try {
      const { isError, structuredContent } = await client.callTool({ ...params, arguments: { ...params.arguments } });
      expect(isError, JSON.stringify(structuredContent)).not.to.equal(true);
      return structuredContent;
    } finally {
      await client.close();
    }
  },
  async command(text, { url, fixture }, row) {
    const { stdout } = await run('bash', ['-c', `muster() { printf '%s\\0' "$@"; }\n${text}`]);
    const stop = new AbortController();
    const onOut = row.watch && ((out: string) => out.includes('\n') && stop.abort());
    const { code, out, err } = await runInside(stdout.split('\0').slice(0, -1), {
      env: { SERVICE_BASE_URL: url, SERVICE_TOKEN: fixture.operatorToken },
      signal: stop.signal,
      ...(onOut && { onOut }),
    });
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    return JSON.parse(out.split('\n')[0] ?? '');
  },
};

/** The first message of a stream of Connect. */
function firstMessage(bytes: Buffer): string {
  return bytes.toString('utf8', 5, 5 + bytes.readUInt32BE(1));
}

/** The text with the values of its placeholders: words in capitals, and the number 71. */
function filled(text: string, { mcp }: Example, values: Readonly<Record<string, unknown>>): string {
  const { params } = JSON.parse(mcp) as { params: { arguments: Readonly<Record<string, unknown>> } };
  return Object.entries(params.arguments).reduce((made, [name, given]) => {
    const [word]: unknown[] = Array.isArray(given) ? given : [given];
    const stands = word === 71 || (typeof word === 'string' && /^[A-Z]+_(ID|DIGEST)$/.test(word));
    expect(!stands || values[name] !== undefined, `nothing is known for ${name}: ${String(word)}`).to.equal(true);
    return stands ? made.replaceAll(new RegExp(`\\b${String(word)}\\b`, 'g'), String([values[name]].flat()[0])) : made;
  }, text);
}

/** An agent at work. */
async function anAgent({ create, host }: RegistryFixture): Promise<string> {
  const { id } = await create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' });
  await host.bringUp(id);
  return id;
}

describe('the examples of the reference', () => {
  const instances = new Map<string, Instance>();
  /** The agent of each way that was only read so far. */
  const agents = new Map<string, string>();
  before(async () => {
    // One for each way, so that what one does is not in the way of another.
    for (const way of Object.keys(ways)) {
      const instance = await startInstance();
      instance.fixture.host.pane = paneAtWork;
      instances.set(way, instance);
    }
  });
  after(() => Promise.all([...instances.values()].map((instance) => instance.close())));

  for (const [turn, row] of operations.entries()) {
    describe(row.method, () => {
      it('exist for each channel', () => {
        const how = 'add one to src/service/reference/examples.ts, then npm run docs';
        expect(shown.has(row.method), `${row.method} has no example in docs/reference/: ${how}`).to.equal(true);
      });
      const example = shown.get(row.method);
      const trial = trials[row.method];
      if (example === undefined || trial === undefined) return;

      for (const [way, call] of isSoak || turn % 4 === 0
        ? someOf(Object.entries(ways) as [keyof Example, Way][], turn / 4)
        : []) {
        it(`work as printed: ${way}`, async () => {
          const instance = instances.get(way);
          if (instance === undefined) throw new Error(`there is no instance for ${way}`);
          const { fixture } = instance;
          const id = agents.get(way) ?? (await anAgent(fixture));
          agents.set(way, id);
          const values = { ...trial.request(id), agentId: id, subjectId: id, ...(await trial.prepare?.(fixture, id)) };
          const answer = await call(filled(example[way], example, values), instance, row);
          await trial.recover?.(fixture);
          if (row.access === 'write') agents.delete(way);
          expect(answer).to.be.an('object').and.not.to.have.property('code');
        });
      }
    });
  }

  it('are of existing operations', () => {
    const methods = new Set(operations.map(({ method }) => method));
    expect([...shown.keys()].filter((name) => !methods.has(name))).to.deep.equal([]);
  });

  it('are really run: a wrong one fails', async () => {
    const instance = instances.get('curl');
    const row = operations.find(({ method }) => method === 'GetAgent');
    const example = shown.get('GetAgent');
    if (instance === undefined || row === undefined || example === undefined) throw new Error('nothing to try');
    const answer = await ways.curl(example.curl, instance, row);
    expect(answer, 'AGENT_ID is no agent').to.include({ code: 'not_found' });
    const failure = await ways.command(example.command, instance, row).catch((error: unknown) => error);
    expect(failure).to.be.an('error');
  });
});
