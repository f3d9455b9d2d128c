import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** What an agent is called to its doorbell for. */
export const DoorbellCause = enumeration('agent.v1.DoorbellCause', [
  'DOORBELL_CAUSE_UNSPECIFIED',
  'DOORBELL_CAUSE_MAIL',
  'DOORBELL_CAUSE_REVIEW',
  'DOORBELL_CAUSE_RESULT',
]);
export type DoorbellCause = Exclude<z.infer<typeof DoorbellCause>, 'DOORBELL_CAUSE_UNSPECIFIED'>;

/** Where a doorbell stands. */
export const DoorbellState = enumeration('agent.v1.DoorbellState', [
  'DOORBELL_STATE_UNSPECIFIED',
  'DOORBELL_STATE_RAISED',
  'DOORBELL_STATE_RUNG',
  'DOORBELL_STATE_CLAIMED',
  'DOORBELL_STATE_DROPPED',
]);
export type DoorbellState = z.infer<typeof DoorbellState>;

/** How often one cause has raised a doorbell. */
const DoorbellCount = message('agent.v1.DoorbellCount', { cause: [1, DoorbellCause], count: [2, z.int32()] });

/** Says "look": an agent has one open doorbell at most, whatever has raised it. Timestamps are RFC 3339 in UTC. */
export const Doorbell = message('agent.v1.Doorbell', {
  id: [1, z.string()],
  agentId: [2, z.string()],
  state: [3, DoorbellState],
  causes: [4, z.array(DoorbellCount)],
  raisedAt: [5, z.string()],
  rungAt: [6, z.string()],
});
export type Doorbell = z.infer<typeof Doorbell>;
