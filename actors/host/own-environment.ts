import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { RegistryClient } from './registry-journal.ts';

interface Service {
  /** Where agents reach the service. */
  readonly baseUrl: string;
  readonly registry: Pick<RegistryClient, 'token'>;
}

/** The variables by which whatever runs for an agent calls the service as that agent. */
export async function ownEnvironment(
  { id, epoch }: AgentRecord,
  { baseUrl, registry }: Service,
): Promise<Record<string, string>> {
  return {
    SERVICE_AGENT_ID: id,
    SERVICE_BASE_URL: baseUrl,
    SERVICE_TOKEN: await registry.token(id, epoch),
  };
}
