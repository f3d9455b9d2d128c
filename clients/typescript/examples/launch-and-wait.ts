// Launches an agent, waits until it has finished its turn, prints its screen and archives it:
// node launch-and-wait.ts "echo hello"
import { createMuster } from '@muster-fleet/client';
import { fromEnvironment } from '@muster-fleet/client/environment';
import { AgentOutcome } from '@muster-fleet/client/messages/agent';

const prompt = process.argv[2] ?? 'echo hello';
const muster = createMuster(fromEnvironment());
const { workflows } = await muster.workflows.listWorkflows({});
const { agent } = await muster.agents.createAgent({
  prompt,
  harness: 'shell',
  workflowId: workflows[0]?.id ?? '',
  dir: process.cwd(),
  provisionEnabled: false,
});
const agentId = agent?.id ?? '';
const [awaited] = await muster.waitForAgents({ agentIds: [agentId], until: [AgentOutcome.FINISHED] });
console.log(`${awaited?.name}: ${AgentOutcome[awaited?.outcome ?? 0]}`);
const { screen } = await muster.agents.readPane({ agentId });
console.log(screen?.text.trimEnd());
await muster.agents.archiveAgent({ agentId });
