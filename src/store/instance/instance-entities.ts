import type { MachineName } from '#contract/machine/machine-name.ts';
import { AgentEntity, type StoredAgent } from '#store/agent/agent-entity.ts';
import { DoorbellEntity, type StoredDoorbell } from '#store/doorbell/doorbell-entity.ts';
import { RepositoryEntity, type StoredRepository } from '#store/forge/repository-entity.ts';
import { HostEntity, type StoredHost } from '#store/host/host-entity.ts';
import { ReviewEntity, type StoredReview } from '#store/review/entities.ts';
import { FiringEntity, type StoredFiring } from '#store/schedule/firing-entity.ts';
import { ScheduleEntity, type StoredSchedule } from '#store/schedule/schedule-entity.ts';

/** Where the instances of each machine are stored. */
export const instanceEntities = {
  agent: AgentEntity,
  doorbell: DoorbellEntity,
  firing: FiringEntity,
  host: HostEntity,
  'review-batch': ReviewEntity,
  schedule: ScheduleEntity,
  sweep: RepositoryEntity,
} as const satisfies Record<MachineName, unknown>;

/** The rows of the instances of each machine. */
export interface InstanceRows {
  readonly agent: StoredAgent;
  readonly doorbell: StoredDoorbell;
  readonly firing: StoredFiring;
  readonly host: StoredHost;
  readonly 'review-batch': StoredReview;
  readonly schedule: StoredSchedule;
  readonly sweep: StoredRepository;
}
