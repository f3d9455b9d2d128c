import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { program } from '#test/cli/command-line.ts';
import { authorization, type GatewayFixture, gatewayFixture, token } from '#test/gateway/gateway-fixture.ts';
import { installMs } from '#test/support/npm-package.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { toolProgram } from './tools.ts';

describe('the inspector of the MCP project', () => {
  let inspector: string;
  let gateway: GatewayFixture;
  let home: TemporaryFolder;

  before(async function () {
    this.timeout(installMs);
    inspector = await toolProgram('inspector');
    home = temporaryFolder('inspector');
    gateway = await gatewayFixture();
    gateway.answer('ListAgents', () => ({ nextPageToken: 'more' }));
  });
  after(async () => {
    await gateway?.close();
    home?.remove();
  });

  async function inspect(
    server: readonly string[],
    ...args: string[]
  ): Promise<{ code: unknown; out: string; err: string }> {
    const env = { PATH: process.env['PATH'], HOME: home.path, SERVICE_BASE_URL: gateway.url, SERVICE_TOKEN: token };
    const command = [inspector, '--cli', ...server, '--format', 'json', ...args];
    const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, out, err };
  }

  const servers = (): Readonly<Record<string, readonly string[]>> => ({
    'over HTTP': [`${gateway.url}/mcp`, '--transport', 'http', '--header', `Authorization: ${authorization}`],
    'over standard input and output': [
      process.execPath,
      program,
      'mcp',
      '-e',
      `SERVICE_BASE_URL=${gateway.url}`,
      '-e',
      `SERVICE_TOKEN=${token}`,
    ],
  });
  for (const way of ['over HTTP', 'over standard input and output']) {
    for (const era of ['legacy', 'modern']) {
      it(`lists and calls tools ${way}, in the ${era} era`, async () => {
        const server = [...(servers()[way] ?? []), '--protocol-era', era];
        const listed = await inspect(server, '--method', 'tools/list');
        expect(listed.code, listed.err).to.equal(0);
        for (const row of operations) expect(listed.out).to.include(`"${toolName(row)}"`);
        const called = await inspect(server, '--method', 'tools/call', '--tool-name', 'list_agents');
        expect(called.code, called.err).to.equal(0);
        expect(called.out).to.include('"nextPageToken"');
        const refused = await inspect(server, '--method', 'tools/call', '--tool-name', 'get_agent');
        expect(refused.code, 'a refusal is told as one').to.equal(5);
        expect(refused.out).to.include('agentId is missing');
      });
    }
  }
});
