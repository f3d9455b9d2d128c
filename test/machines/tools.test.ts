import { expect } from 'chai';
import { joined, noAddition } from '#machines/harness/launch-addition.ts';
import { builtIn } from '#machines/harness/table.ts';
import { settingsText, toolNames, toolsAddition } from '#machines/harness/tools.ts';

const muster = "/opt/it's here/bin/muster";
const of = (name: string, preApproved: readonly string[] = []) =>
  toolsAddition(builtIn.find(name)?.tools, { muster, file: '/state/settings/x.json', preApproved });
/** The one server of a flag that takes servers as JSON. */
const serversIn = (text: string | undefined) =>
  (JSON.parse(text ?? '') as { mcpServers: Record<'muster' | 'muster-asks', Record<string, unknown>> }).mcpServers;
const serverIn = (text: string | undefined) => serversIn(text).muster;

describe('the launch additions for muster’s tools', () => {
  const flags = { claude: '--mcp-config', qwen: '--mcp-config', copilot: '--additional-mcp-config' };
  for (const [name, flag] of Object.entries(flags)) {
    it(`are for ${name} the server as JSON in a flag`, () => {
      const { args, env } = of(name);
      expect(args[0]).to.equal(flag);
      expect(serverIn(args[1])).to.deep.include({ command: muster, args: ['mcp'] });
      expect(env).to.deep.equal({});
    });
  }

  it('pre-approve tools that neither start, steer nor end a CLI, in each CLI’s form', () => {
    const { free, asked } = toolNames([]);
    expect(asked.toSorted()).to.deep.equal([
      'apply_review_suggestion',
      'archive_agent',
      'create_agent',
      'interrupt_agent',
      'prompt_agent',
      'retry_agent',
    ]);
    const claude = of('claude').args;
    expect(claude[2]).to.equal('--allowedTools');
    expect(claude[3]?.split(',')).to.deep.equal(free.map((tool) => `mcp__muster__${tool}`));
    expect(of('copilot').args.slice(2)).to.deep.equal(free.flatMap((tool) => ['--allow-tool', `muster(${tool})`]));
    for (const { muster: trusted, 'muster-asks': asks } of [
      serversIn(of('qwen').args[1]),
      serversIn(settingsText(muster, [])),
    ]) {
      expect(trusted).to.deep.include({ trust: true, includeTools: free });
      expect(asks).to.deep.include({ trust: false, includeTools: asked });
    }
  });

  it('pre-approve the workflow’s tools', () => {
    const all = toolNames([]).asked;
    expect(toolNames(['create_agent']).asked).not.to.contain('create_agent');
    expect(of('claude', ['create_agent']).args[3]?.split(',')).to.contain('mcp__muster__create_agent');
    expect(of('copilot', ['create_agent']).args).to.contain('muster(create_agent)');
    expect(of('codex', ['create_agent']).args[1]).to.contain('create_agent={approval_mode="approve"}');
    expect(of('opencode', ['create_agent']).env['OPENCODE_CONFIG_CONTENT']).not.to.contain('muster_create_agent');
    expect(serversIn(settingsText(muster, all))).to.have.keys('muster');
  });

  it('are for Codex a configuration flag, and for opencode its configuration in the environment', () => {
    const variables = '["SERVICE_AGENT_ID","SERVICE_BASE_URL","SERVICE_TOKEN"]';
    const { free, asked } = toolNames([]);
    const approved = free.map((tool) => `${tool}={approval_mode="approve"}`).join(',');
    expect(of('codex').args).to.deep.equal([
      '-c',
      `mcp_servers.muster={command="${muster}",args=["mcp"],env_vars=${variables},tool_timeout_sec=120,` +
        `default_tools_approval_mode="prompt",tools={${approved}}}`,
    ]);
    expect(JSON.parse(of('opencode').env['OPENCODE_CONFIG_CONTENT'] ?? '')).to.deep.equal({
      mcp: { muster: { type: 'local', command: [muster, 'mcp'], enabled: true } },
      permission: Object.fromEntries(asked.map((tool) => [`muster_${tool}`, 'ask'])),
    });
  });

  it('are for Gemini a settings file of muster’s', () => {
    expect(of('gemini')).to.deep.equal({
      args: [],
      env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/state/settings/x.json' },
    });
  });

  it('contain the token’s name, never the token', () => {
    expect(serverIn(settingsText(muster, []))['env']).to.deep.include({ SERVICE_TOKEN: `\${SERVICE_TOKEN}` });
  });

  it('are empty for a CLI without tools, and if a person opts out', () => {
    for (const name of ['shell', 'aider']) expect(of(name)).to.equal(noAddition);
    expect(toolsAddition({ through: 'nothing' }, { muster, file: '', preApproved: [] })).to.equal(noAddition);
  });

  it('combine with other additions', () => {
    const first = { args: ['-a'], env: { A: '1', CONFIG: '{"mcp":{"muster":{}}}' } };
    const second = { args: ['-b'], env: { B: '2', CONFIG: '{"plugin":["x"]}' } };
    expect(joined(first, second)).to.deep.equal({
      args: ['-a', '-b'],
      env: { A: '1', B: '2', CONFIG: '{"mcp":{"muster":{}},"plugin":["x"]}' },
    });
    expect(joined(noAddition, second)).to.deep.equal(second);
  });
});
