import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { agents } from '#page/api/clients.ts';
import { failureText } from '#page/api/failure-text.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';

/** The prompt with which an agent was launched: its start, and the rest on request. */
export function WholePrompt({ agent: { id: agentId, prompt, promptTruncated } }: { readonly agent: Agent }) {
  const [isWanted, setWanted] = useState(false);
  const whole = useQuery({
    queryKey: ['agent', agentId, 'whole'],
    queryFn: ({ signal }) => agents.getAgent({ agentId }, { signal }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const text = whole.data?.agent?.agent?.prompt ?? prompt;
  return (
    <section className="launched-to">
      <h3>Task</h3>
      <p>{text}</p>
      {promptTruncated && !whole.isSuccess && (
        <button type="button" className="quiet" onClick={() => setWanted(true)}>
          Show all
        </button>
      )}
      {whole.error !== null && <p role="alert">{failureText(whole.error)}</p>}
    </section>
  );
}
