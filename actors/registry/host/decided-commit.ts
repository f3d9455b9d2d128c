import { commitOf } from '#actors/loop.ts';
import { called } from '#actors/registry/agent/find-agent.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse.ts';
import { quoted } from '#contract/quoted.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import { HostEvent, hostEventTypes } from '#contract/wire/host-event.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { agentLife } from '#machines/agent/agent-view.ts';
import { decide } from '#machines/decide.ts';

/**
 * What comes of a host's commit. Of what the host says, the event counts, and which effects it ends; what becomes of the agent is
 * decided here, so that a host moves no agent by its own word alone. One that was decided on another version stays as it is: it is
 * refused where it is written.
 * @throws Failure `permission_denied` where the event is not a host's to tell; `invalid_argument` where it is none;
 *   `failed_precondition` where it makes no sense as the agent stands
 */
export function decidedCommit(record: AgentRecord, given: AgentCommit): AgentCommit {
  if (given.version !== record.version || given.epoch !== record.epoch) return given;
  const { done, sighting } = given;
  if (given.event === undefined) return commitOf(record, undefined, done);
  const event: AgentEvent = hostEventOf(record, given.event);
  const decision = decide(agentLife, record.snapshot, event);
  if (decision !== undefined) return { ...commitOf(record, decision, done, event), ...(sighting && { sighting }) };
  throw new Failure(
    'failed_precondition',
    `${event.type} makes no sense for agent ${calledIn(record)} as it stands: read it again and decide anew`,
  );
}

function hostEventOf(record: AgentRecord, given: { readonly type: string }): HostEvent {
  if (hostEventTypes.includes(given.type)) return parseRequest(HostEvent, given);
  throw new Failure(
    'permission_denied',
    `${quoted(given.type)} of agent ${calledIn(record)} is not a host's to tell: it begins at the registry alone`,
  );
}

function calledIn({ id, launch }: AgentRecord): string {
  return called({ id, name: launch.name });
}
