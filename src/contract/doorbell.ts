import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** Why a doorbell rings. */
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
  DOORBELL_STATE_RAISED: 'Waiting to ring.',
  DOORBELL_STATE_RUNG: 'It rang, and the agent has not claimed it yet.',
  DOORBELL_STATE_CLAIMED: 'The agent claimed it.',
  DOORBELL_STATE_DROPPED: 'Withdrawn because the agent ended.',
});
export type DoorbellState = z.infer<typeof DoorbellState>;

/** How often one cause has raised a doorbell. */
const DoorbellCount = message('agent.v1.DoorbellCount', {
  cause: [1, DoorbellCause, 'Why it was raised.'],
  count: [2, z.int32(), 'How often that cause raised it.'],
});

/** A signal to an agent that something waits for it. An agent has at most one open doorbell, whatever raised it. */
export const Doorbell = message('agent.v1.Doorbell', {
  id: [1, z.string(), 'The id of this doorbell: `bel_` and a ULID.'],
  agentId: [2, z.string(), 'The agent that it rings for.'],
  state: [3, DoorbellState, 'Whether it has rung, and whether the agent claimed it.'],
  causes: [4, z.array(DoorbellCount), 'What raised it, each cause once.'],
  raisedAt: [5, z.string(), 'When it was first raised: RFC 3339, UTC.'],
  rungAt: [6, z.string(), 'When it rang: RFC 3339, UTC. Unset until then.'],
});
export type Doorbell = z.infer<typeof Doorbell>;
