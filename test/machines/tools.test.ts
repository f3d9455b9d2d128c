import { expect } from 'chai';
import { joined, noAddition } from '#machines/harness/launch-addition.ts';
import { builtIn } from '#machines/harness/table.ts';
import { settingsText, toolsAddition } from '#machines/harness/tools.ts';

const muster = "/opt/it's here/bin/muster";
const of = (name: string) => toolsAddition(builtIn.find(name)?.tools, muster, '/state/settings/x.json');
/** The one server of a flag that takes servers as JSON. */
const serverIn = (text: string | undefined) =>
  (JSON.parse(text ?? '') as { mcpServers: { muster: Record<string, unknown> } }).mcpServers.muster;

describe('what a launch needs for its CLI to have muster’s tools', () => {
  const flags = { claude: '--mcp-config', qwen: '--mcp-config', copilot: '--additional-mcp-config' };
  for (const [name, flag] of Object.entries(flags)) {
    it(`is for ${name} the server as JSON in a flag`, () => {
      const { args, env } = of(name);
      expect(args[0]).to.equal(flag);
      expect(serverIn(args[1])).to.deep.include({ command: muster, args: ['mcp'] });
      expect(env).to.deep.equal({});
    });
  }

  it('lets them be called without a question to the person, each CLI in its own way', () => {
    expect(of('claude').args.slice(2)).to.deep.equal(['--allowedTools', 'mcp__muster']);
    expect(of('copilot').args.slice(2)).to.deep.equal(['--allow-tool', 'muster']);
    expect(serverIn(of('qwen').args[1])).to.include({ trust: true });
    expect(serverIn(settingsText(muster, { trust: true }))).to.include({ trust: true });
  });

  it('is for Codex a flag of its configuration, and for opencode its configuration in the environment', () => {
    const variables = '["SERVICE_AGENT_ID","SERVICE_BASE_URL","SERVICE_TOKEN"]';
    expect(of('codex').args).to.deep.equal([
      '-c',
      `mcp_servers.muster={command="${muster}",args=["mcp"],env_vars=${variables},tool_timeout_sec=120,default_tools_approval_mode="approve"}`,
    ]);
    expect(JSON.parse(of('opencode').env['OPENCODE_CONFIG_CONTENT'] ?? '')).to.deep.equal({
      mcp: { muster: { type: 'local', command: [muster, 'mcp'], enabled: true } },
    });
  });

  it('is for Gemini a settings file of muster’s', () => {
    expect(of('gemini')).to.deep.equal({
      args: [],
      env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/state/settings/x.json' },
    });
  });

  it('never holds the token, but for its name', () => {
    expect(serverIn(settingsText(muster))['env']).to.deep.include({ SERVICE_TOKEN: `\${SERVICE_TOKEN}` });
  });

  it('is nothing for a CLI that takes no tools, and where a person does not want it', () => {
    for (const name of ['shell', 'aider']) expect(of(name)).to.equal(noAddition);
    expect(toolsAddition({ through: 'nothing' }, muster, '')).to.equal(noAddition);
  });

  it('is put together with what else is added', () => {
    const first = { args: ['-a'], env: { A: '1', CONFIG: '{"mcp":{"muster":{}}}' } };
    const second = { args: ['-b'], env: { B: '2', CONFIG: '{"plugin":["x"]}' } };
    expect(joined(first, second)).to.deep.equal({
      args: ['-a', '-b'],
      env: { A: '1', B: '2', CONFIG: '{"mcp":{"muster":{}},"plugin":["x"]}' },
    });
    expect(joined(noAddition, second)).to.deep.equal(second);
  });
});
