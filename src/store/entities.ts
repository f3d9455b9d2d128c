import { AgentEntity } from './agent-entity.ts';
import { CredentialEntity } from './credential-entity.ts';
import { DeadlineEntity } from './deadline-entity.ts';
import { DoorbellEntity } from './doorbell-entity.ts';
import { EffectEntity } from './effect-entity.ts';
import { FactEntity } from './fact-entity.ts';
import { FiringEntity } from './firing-entity.ts';
import { ForgeConnectionEntity } from './forge-connection-entity.ts';
import { HostEntity } from './host-entity.ts';
import { GenerationEntity } from './log/generation-entity.ts';
import { MailEntity } from './mail-entity.ts';
import { MoveEntity } from './move-entity.ts';
import { NoticeEntity } from './notice-entity.ts';
import { PullRequestEntity } from './pull-request-entity.ts';
import { RepositoryEntity } from './repository-entity.ts';
import {
  ReviewEntity,
  ReviewMessageEntity,
  ReviewReadingEntity,
  ReviewRoundEntity,
  ReviewThreadEntity,
} from './review/entities.ts';
import { RunEntity } from './run-entity.ts';
import { ScheduleEntity } from './schedule-entity.ts';
import { SessionEntity } from './session-entity.ts';
import { SettingEntity } from './setting-entity.ts';
import { TransitionEntity } from './transition-entity.ts';
import { WorkflowEntity } from './workflow-entity.ts';

/** Every table of the store. */
export const entities = [
  AgentEntity,
  CredentialEntity,
  DeadlineEntity,
  DoorbellEntity,
  EffectEntity,
  FactEntity,
  FiringEntity,
  ForgeConnectionEntity,
  GenerationEntity,
  HostEntity,
  MailEntity,
  MoveEntity,
  NoticeEntity,
  PullRequestEntity,
  RepositoryEntity,
  ReviewEntity,
  ReviewMessageEntity,
  ReviewReadingEntity,
  ReviewRoundEntity,
  ReviewThreadEntity,
  RunEntity,
  ScheduleEntity,
  SessionEntity,
  SettingEntity,
  TransitionEntity,
  WorkflowEntity,
];
