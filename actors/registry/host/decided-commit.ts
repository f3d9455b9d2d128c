import { commitOf } from '#actors/loop.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { quoted } from '#contract/quoted.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import { HostEvent, hostEventTypes } from '#contract/wire/host-event.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { decide } from '#machines/decide.ts';

/**
 * The commit to write for a host's commit. Only its event and its completed effects are used: the next state is decided
 * here, so that a host cannot choose an agent's state. A commit on another version or epoch is returned unchanged, and
 * refused when it is written.
 * @throws PERMISSION_DENIED when a host may not send the event; INVALID_ARGUMENT when it is malformed;
 *   FAILED_PRECONDITION when it is not possible in the agent's state
 */
export function decidedCommit(record: AgentRecord, given: AgentCommit): AgentCommit {
  if (given.version !== record.version || given.epoch !== record.epoch) return given;
  const { done, sighting } = given;
  if (given.event === undefined) return commitOf(record, undefined, done);
  const event: AgentEvent = hostEventOf(record, given.event);
  const decision = decide(agentDefinition, record.snapshot, event);
  if (decision !== undefined) return { ...commitOf(record, decision, done, event), ...(sighting && { sighting }) };
  throw new Failure(
    'EVENT_NOT_POSSIBLE',
    `${event.type} is not possible for agent ${calledIn(record)} in its state: read the agent again, then decide again`,
  );
}

function hostEventOf(record: AgentRecord, given: { readonly type: string }): HostEvent {
  if (hostEventTypes.includes(given.type)) return parseRequest(HostEvent, given);
  throw new Failure(
    'HOST_NOT_ENTITLED',
    `A host cannot send ${quoted(given.type)} for agent ${calledIn(record)}: only the registry sends it`,
  );
}

function calledIn({ id, launch }: AgentRecord): string {
  return describeAgent({ id, name: launch.name });
}
