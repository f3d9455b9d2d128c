import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@tanstack/react-query';
import { compareSummaries } from '#contract/agent/summary-text.ts';
import { agents } from '#page/api/clients.ts';
import type { AgentSummary } from '#page/client/agent/v1/agent_pb.js';
import type { Fact } from '#page/client/fact/v1/fact_pb.js';
import { toNamed } from './named-summary.ts';

/** What happened since a time. */
interface Summary {
  /** Those that need a person first. */
  readonly agents: readonly AgentSummary[];
  readonly facts: readonly Fact[];
  readonly factsForgotten: boolean;
}

/** How often the summary is read again, in milliseconds. */
const everyMs = 10_000;

/** Reads every page of the summary of the last so many hours, again and again while it is shown. */
export function useSummary(hours: number) {
  return useQuery({
    queryKey: ['summary', hours],
    queryFn: ({ signal }) => read(Date.now() - hours * 3_600_000, signal),
    staleTime: 0,
    refetchInterval: everyMs,
  });
}

async function read(since: number, signal: AbortSignal): Promise<Summary> {
  const [found, facts]: [AgentSummary[], Fact[]] = [[], []];
  let [cursor, factsForgotten] = ['', false];
  do {
    const request = { since: timestampFromMs(since), pagination: { cursor, pageSize: 200 } };
    const page = await agents.summarizeAgents(request, { signal });
    found.push(...page.agents);
    facts.push(...page.facts);
    factsForgotten ||= page.factsForgotten;
    cursor = page.nextPageToken;
  } while (cursor !== '');
  const sorted = found.toSorted((one, other) => compareSummaries(toNamed(one), toNamed(other)));
  return { agents: sorted, facts, factsForgotten };
}
