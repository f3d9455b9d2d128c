import type { RegistryClient, TokenPurpose } from '#actors/host/agent/registry-journal.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';

interface Service {
  /** The URL at which agents reach the service. */
  readonly baseUrl: string;
  readonly registry: Pick<RegistryClient, 'token'>;
}

/** The variables with which a process calls the service as an agent. An agent that has ended has no token. */
export async function ownEnvironment(
  { id, epoch }: AgentRecord,
  { baseUrl, registry }: Service,
  purpose: TokenPurpose,
): Promise<Record<string, string>> {
  const token = await registry.token(id, epoch, purpose);
  return {
    SERVICE_AGENT_ID: id,
    SERVICE_BASE_URL: baseUrl,
    ...(token !== undefined && { SERVICE_TOKEN: token }),
  };
}
