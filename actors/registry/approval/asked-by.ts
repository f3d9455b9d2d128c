import type { z } from 'zod';
import { hostOfPane } from '#actors/registry/agent/agent-window.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { approvalCalls } from '#contract/wire/approval-calls.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { PlacedQuestion } from './decide.ts';

/** What an agent's host reports of the question on its screen. */
export interface ReportedQuestion extends Omit<z.output<typeof approvalCalls.question.response>, 'question' | 'place'> {
  readonly host: Pick<StoredHost, 'id' | 'name'>;
  /** Undefined if it asks nothing. */
  readonly asked: PlacedQuestion | undefined;
}

/** Asks an agent's host what its screen asks. @throws FAILED_PRECONDITION when it has no window */
export async function askedBy({ store, lines }: KernelScope, agentId: string): Promise<ReportedQuestion> {
  const { host } = await store.read((tables) => hostOfPane(tables, agentId));
  const { question, place, ...rest } = await askHost(lines, host, hostCalls.question, { agentId });
  return { ...rest, host, asked: question && { question, ...(place && { place }) } };
}
