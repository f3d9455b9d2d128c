import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** What an agent is called to its doorbell for. */
export const DoorbellCause = enumeration('agent.v1.DoorbellCause', {
  DOORBELL_CAUSE_UNSPECIFIED: 'No cause; never sent.',
  DOORBELL_CAUSE_MAIL: 'Mail waits to be taken.',
  DOORBELL_CAUSE_REVIEW: 'A review was released, or a new round waits for its reviewer.',
  DOORBELL_CAUSE_RESULT: 'An agent that it launched finished, failed or waits for a person.',
});
export type DoorbellCause = Exclude<z.infer<typeof DoorbellCause>, 'DOORBELL_CAUSE_UNSPECIFIED'>;

/** The state of a doorbell. */
export const DoorbellState = enumeration('agent.v1.DoorbellState', {
  DOORBELL_STATE_UNSPECIFIED: 'No state; never sent.',
  DOORBELL_STATE_RAISED: 'It waits to be rung.',
  DOORBELL_STATE_RUNG: 'The agent was notified, and has not responded yet.',
  DOORBELL_STATE_CLAIMED: 'The agent responded.',
  DOORBELL_STATE_DROPPED: 'It was withdrawn because the agent ended.',
});
export type DoorbellState = z.infer<typeof DoorbellState>;

/** How often one cause has raised a doorbell. */
const DoorbellCount = message('agent.v1.DoorbellCount', {
  cause: [1, DoorbellCause, 'Why it was raised.'],
  count: [2, z.int32(), 'How often that raised it.'],
});

/** Says "look": an agent has one open doorbell at most, whatever has raised it. Timestamps are RFC 3339 in UTC. */
export const Doorbell = message('agent.v1.Doorbell', {
  id: [1, z.string(), 'Names this doorbell: `bel_` and a ULID.'],
  agentId: [2, z.string(), 'The agent that is called.'],
  state: [3, DoorbellState, 'How far it has got.'],
  causes: [4, z.array(DoorbellCount), 'What raised it, each cause once.'],
  raisedAt: [5, z.string(), 'When it was first raised: RFC 3339, UTC.'],
  rungAt: [6, z.string(), 'When the agent was called: RFC 3339, UTC. Unset until then.'],
});
export type Doorbell = z.infer<typeof Doorbell>;
