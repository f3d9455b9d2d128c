// Prints each agent whenever its state changes, until the signal aborts. It goes on after a cut of the connection or a
// restart of muster, without missing a change: node follow-agents.ts
import { createMuster } from '@muster-fleet/client';
import { fromEnvironment } from '@muster-fleet/client/environment';
import { AgentState } from '@muster-fleet/client/messages/agent';

const muster = createMuster({
  ...fromEnvironment(),
  onLost: (why) => console.error(why === undefined ? 'muster is back' : why.message),
});
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const shown = new Map<string, AgentState>();
for await (const { agents } of muster.agents.watchAgents({}, { signal: stop.signal })) {
  for (const { agent } of agents) {
    if (agent === undefined || shown.get(agent.id) === agent.state) continue;
    shown.set(agent.id, agent.state);
    console.log(`${agent.name} ${AgentState[agent.state]}`);
  }
}
