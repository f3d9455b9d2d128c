import type { Tables } from '#store/tables.ts';

/** What the names of leases begin with under which a registry answers a question by rule. */
export const leasePrefix = 'approval:';
/** Whether a rule is answering an agent now. */
export async function areAnswering({ leases }: Pick<Tables, 'leases'>, agentId: string): Promise<boolean> {
  return (await leases.heldUnder(`${leasePrefix}${agentId}`)).length > 0;
}

/** How long a lease lasts, in milliseconds: longer than an answer may take. */
export const leaseMs = 31_000;
