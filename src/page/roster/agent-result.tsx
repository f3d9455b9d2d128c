import { useQuery } from '@tanstack/react-query';
import { agents } from '#page/api/clients.ts';
import { failureText } from '#page/api/failure-text.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { Elapsed } from '#page/parts/elapsed.tsx';
import './agent-result.css';

/** The result that an agent reported. */
export function AgentResult({ agent }: { readonly agent: Agent }) {
  const { id, resultAt } = agent;
  const { data, error } = useQuery({
    queryKey: ['result', id, resultAt],
    queryFn: async ({ signal }) => (await agents.getResult({ agentId: id }, { signal })).result ?? null,
  });
  return (
    <section className="launched-to agent-result" aria-label="Result">
      <h3>
        Result{' '}
        <span className="muted">
          <Elapsed since={resultAt} /> ago{data && data.turn > 0 && `, in turn ${data.turn}`}
        </span>
      </h3>
      {error !== null && <p role="alert">{failureText(error)}</p>}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <p className="result-text" tabIndex={0}>
          {data.text}
        </p>
      )}
    </section>
  );
}
