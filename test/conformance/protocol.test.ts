import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { operations } from '#contract/table.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { sampleOf } from '#test/gateway/sample-message.ts';
import { installMs } from '#test/support/npm-package.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type BearerProxy, bearerProxy } from './bearer-proxy.ts';
import { toolProgram } from './tools.ts';

const expectedFailures = fileURLToPath(new URL('expected-failures.yml', import.meta.url));

describe('the conformance suite of the MCP project', function () {
  this.timeout(180_000);
  let suite: string;
  let proxy: BearerProxy;
  let gateway: GatewayFixture;
  let folder: TemporaryFolder;

  before(async function () {
    this.timeout(installMs);
    suite = await toolProgram('conformance');
    folder = temporaryFolder('conformance');
    proxy = await bearerProxy(authorization);
    gateway = await gatewayFixture({ baseUrl: proxy.url });
    proxy.to(gateway.port);
    for (const row of operations) gateway.answer(row.method, () => sampleOf(row.response));
  });
  after(async () => {
    await gateway?.close();
    await proxy?.stop();
    folder?.remove();
  });

  for (const revision of ['2025-11-25', '2026-07-28']) {
    it(`passes for ${revision}, except the listed failures`, async () => {
      const args = ['server', '--url', `${proxy.url}/mcp`, '--requirements', revision];
      const command = [suite, ...args, '--expected-failures', expectedFailures, '--output-dir', folder.path];
      const child = spawn(process.execPath, command, { cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = new Promise((resolve) => child.once('close', resolve));
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      expect(await ended, `${err}\n${out.slice(out.indexOf('=== SUMMARY'))}`).to.equal(0);
      expect(out).to.match(/✓ tools-list: [34] passed, 0 failed/);
      expect(out).to.match(/✓ dns-rebinding-protection: 2 passed, 0 failed/);
    });
  }
});
