// Matches the reason of a refusal, never its words: node match-refusals.ts
import { createMuster } from '@muster-fleet/client';
import { fromEnvironment } from '@muster-fleet/client/environment';
import { MusterError } from '@muster-fleet/client/error';

const muster = createMuster(fromEnvironment());
try {
  await muster.agents.getAgent({ agentId: 'no-such-agent' });
} catch (error) {
  if (!(error instanceof MusterError) || !error.isFor('AGENT_NOT_FOUND')) throw error;
  console.log(`${error.reason} (${error.code}): ${error.message}`);
}
