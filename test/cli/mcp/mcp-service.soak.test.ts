import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { everyEra } from '#test/gateway/mcp-client.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { startService, type WholeService } from '../whole-service.ts';
import { connectOverStdio } from './mcp-client.ts';

describe('muster mcp with the whole service', () => {
  let home: TemporaryFolder;
  let service: WholeService;
  let person: Client;
  const clients: Client[] = [];

  const call = async (client: Client, name: string, given: object = {}): Promise<Record<string, unknown>> =>
    (await client.callTool({ name, arguments: { ...given } })).structuredContent as Record<string, unknown>;
  const connect = async (era: (typeof everyEra)[number], env: Record<string, string>) => {
    const client = await connectOverStdio(era, env);
    clients.push(client);
    return client;
  };
  const stateOf = async (agentId: string) =>
    ((await call(person, 'get_agent', { agentId }))['agent'] as AgentRow).agent?.state;

  before(async () => {
    home = temporaryFolder('mcp');
    mkdirSync(join(home.path, 'project'));
    service = await startService(home.path);
    person = await connect('2026-07-28', { MUSTER_HOME: home.path, MUSTER_URL: service.url });
  });
  after(async () => {
    for (const client of clients) await client.close();
    await service.end();
    home.remove();
  });

  it('lets a person launch an agent, and the agent use its tools and launch a child, over a full restart', async () => {
    const { workflow } = await call(person, 'create_workflow', {
      name: 'play',
      cwd: join(home.path, 'project'),
      harness: 'shell',
      provisionEnabled: false,
    });
    const workflowId = (workflow as { id: string }).id;
    const { agent } = await call(person, 'create_agent', { prompt: 'true', workflowId, title: 'lead' });
    const { id: agentId } = agent as Agent & { id: string };
    await moment('it rests', async () => (await stateOf(agentId)) === 'AGENT_STATE_IDLE');
    const { token } = await call(person, 'issue_agent_token', { agentId });
    const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: String(token), SERVICE_AGENT_ID: agentId };
    const agents = await Promise.all(everyEra.map((era) => connect(era, env)));
    const offered = operations.filter(({ roles }) => roles.includes('implementer')).map(toolName);
    for (const own of agents) {
      expect(own.getInstructions()).to.include(`You are its agent ${agentId}, with the role implementer.`);
      expect((await own.listTools()).tools.map(({ name }) => name)).to.deep.equal(offered);
      expect(await call(own, 'list_facts')).to.include({ code: 'permission_denied' });
      expect((await own.readResource({ uri: `muster://agents/${agentId}` })).contents[0]).to.have.property('text');
    }

    const { port } = new URL(service.url);
    await service.stop();
    const during = agents.map((own) => call(own, 'list_agents'));
    service = await startService(home.path, port);
    for (const listed of await Promise.all(during)) expect(listed).to.have.any.keys('agents', 'code');

    for (const [place, own] of agents.entries()) {
      await moment('its tools work again', async () => 'agents' in (await call(own, 'list_agents')));
      const given = { prompt: 'true', workflowId, parentAgentId: agentId, title: `child-${place}` };
      const child = (await call(own, 'create_agent', given))['agent'] as Agent;
      expect(child).to.include({ parentAgentId: agentId, spawnedByAgentId: agentId, role: 'AGENT_ROLE_REVIEWER' });
      await moment('the child rests', async () => (await stateOf(child.id ?? '')) === 'AGENT_STATE_IDLE');
      expect(await call(own, 'create_agent', { ...given, dir: '/tmp' })).to.include({ code: 'invalid_argument' });
    }
  });
});
