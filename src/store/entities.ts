import { CredentialEntity } from '#store/access/credential-entity.ts';
import { SessionEntity } from '#store/access/session-entity.ts';
import { SignInCodeEntity } from '#store/access/sign-in-code-entity.ts';
import { AgentEntity } from '#store/agent/agent-entity.ts';
import { AgentTransitionEntity } from '#store/agent/agent-transition-entity.ts';
import { EffectEntity } from '#store/agent/effect-entity.ts';
import { ResultEntity } from '#store/agent/result-entity.ts';
import { BudgetEntity } from '#store/budget/budget-entity.ts';
import { DeadlineEntity } from '#store/deadline/deadline-entity.ts';
import { DepartureEntity } from '#store/departure/departure-entity.ts';
import { RoundPackageEntity, RoundPieceEntity } from '#store/departure/round-package-entity.ts';
import { DoorbellEntity } from '#store/doorbell/doorbell-entity.ts';
import { FactEntity } from '#store/fact/fact-entity.ts';
import { ForgottenFactsEntity } from '#store/fact/forgotten-facts-entity.ts';
import { ForgeConnectionEntity } from '#store/forge/forge-connection-entity.ts';
import { PullRequestEntity } from '#store/forge/pull-request-entity.ts';
import { RepositoryEntity } from '#store/forge/repository-entity.ts';
import { HostEntity } from '#store/host/host-entity.ts';
import { HostInvitationEntity } from '#store/joining/host-invitation-entity.ts';
import { JoinedHostEntity } from '#store/joining/joined-host-entity.ts';
import { LeaseEntity } from '#store/lease/lease-entity.ts';
import { AccountLimitEntity } from '#store/limit/account-limit-entity.ts';
import { TransitionEntity } from '#store/machine/transition-entity.ts';
import { MailEntity } from '#store/mail/mail-entity.ts';
import { NoticeEntity } from '#store/notify/notice-entity.ts';
import { ProfileEntity } from '#store/profile/profile-entity.ts';
import { QueuedLaunchEntity } from '#store/queue/queued-launch-entity.ts';
import { RunEntity } from '#store/run/run-entity.ts';
import { FiringEntity } from '#store/schedule/firing-entity.ts';
import { ScheduleEntity } from '#store/schedule/schedule-entity.ts';
import { SettingEntity } from '#store/setting/setting-entity.ts';
import { WorkflowEntity } from '#store/workflow/workflow-entity.ts';
import { GenerationEntity } from './log/generation-entity.ts';
import { PendingRestoreEntity } from './queue/pending-restore-entity.ts';
import {
  ReviewEntity,
  ReviewMessageEntity,
  ReviewReadingEntity,
  ReviewRoundEntity,
  ReviewThreadEntity,
} from './review/entities.ts';

/** Every table of the store. */
export const entities = [
  AccountLimitEntity,
  AgentEntity,
  BudgetEntity,
  CredentialEntity,
  DeadlineEntity,
  DepartureEntity,
  DoorbellEntity,
  EffectEntity,
  FactEntity,
  ForgottenFactsEntity,
  FiringEntity,
  ForgeConnectionEntity,
  GenerationEntity,
  HostEntity,
  HostInvitationEntity,
  JoinedHostEntity,
  LeaseEntity,
  MailEntity,
  AgentTransitionEntity,
  NoticeEntity,
  PendingRestoreEntity,
  ProfileEntity,
  PullRequestEntity,
  QueuedLaunchEntity,
  RepositoryEntity,
  ResultEntity,
  ReviewEntity,
  ReviewMessageEntity,
  ReviewReadingEntity,
  ReviewRoundEntity,
  ReviewThreadEntity,
  RoundPackageEntity,
  RoundPieceEntity,
  RunEntity,
  ScheduleEntity,
  SessionEntity,
  SettingEntity,
  SignInCodeEntity,
  TransitionEntity,
  WorkflowEntity,
];
