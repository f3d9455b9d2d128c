import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { toolingOf } from '#actors/host/effects/tooling.ts';
import type { Harness } from '#machines/harness/definition.ts';
import { noAddition } from '#machines/harness/launch-addition.ts';
import { readHarnessFile } from '#machines/harness/read-file.ts';
import { builtIn } from '#machines/harness/table.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const of = (name: string) => builtIn.find(name) as Harness;
const variable = 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH';

describe('the tools that are added to a launch', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('tooling');
  });
  afterEach(() => folder.remove());

  it('come from this installation’s command line', () => {
    const { args } = toolingOf(of('claude'), {}, {}, folder.path);
    const { command } = (JSON.parse(args[1] ?? '') as { mcpServers: { muster: { command: string } } }).mcpServers
      .muster;
    expect(statSync(command).mode & 0o111).not.to.equal(0);
  });

  it('replace none of the person’s settings', () => {
    const set = { OPENCODE_CONFIG_CONTENT: '{"theme":"mine"}' };
    expect(toolingOf(of('opencode'), {}, set, folder.path)).to.equal(noAddition);
    expect(toolingOf(of('opencode'), {}, {}, folder.path).env).to.have.keys('OPENCODE_CONFIG_CONTENT');
    for (const name of [variable, 'GEMINI_CLI_SYSTEM_SETTINGS_PATH']) {
      expect(toolingOf(of('gemini'), {}, { [name]: '/etc/mine.json' }, folder.path)).to.equal(noAddition);
    }
  });

  it('are empty if a person’s file opts out', () => {
    const read = readHarnessFile('claude', '{"launch": {"tools": {"through": "nothing"}}}', builtIn, () => false);
    if (!('harness' in read)) throw new Error('the file is refused');
    expect(toolingOf(read.harness, {}, {}, folder.path)).to.equal(noAddition);
  });

  it('are empty for Gemini if others than root can write to a folder of the path, and nothing is written', () => {
    expect(toolingOf(of('gemini'), {}, {}, join(folder.path, 'settings'))).to.equal(noAddition);
    expect(existsSync(join(folder.path, 'settings', 'gemini.json'))).to.equal(false);
  });

  it('use a file that only root can write for Gemini', function () {
    const place = fileURLToPath(new URL('../../../node_modules', import.meta.url));
    if (process.getuid?.() !== 0) this.skip();
    const path = mkdtempSync(join(place, '.tooling-'));
    try {
      const settings = join(path, 'settings');
      const { env } = toolingOf(of('gemini'), {}, {}, settings);
      // A checkout of another user, or below a world-writable folder, is not such a place.
      if (Object.keys(env).length === 0) this.skip();
      expect(env).to.deep.equal({ [variable]: join(settings, 'gemini.json') });
      const text = readFileSync(join(settings, 'gemini.json'), 'utf8');
      expect(text).to.include('"mcp"').and.to.include('"trust":true').and.to.include(`"\${SERVICE_TOKEN}"`);
      chmodSync(path, 0o777);
      expect(toolingOf(of('gemini'), {}, {}, settings)).to.equal(noAddition);
    } finally {
      rmSync(path, { recursive: true });
    }
  });
});
