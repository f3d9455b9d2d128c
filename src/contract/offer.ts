import type { Caller } from './access/caller.ts';
import { Failure } from './failure.ts';
import { isOffered, type Operation } from './operation.ts';

/**
 * Refuses an agent whose role the table does not offer the operation to.
 * @throws PERMISSION_DENIED naming the role and the operation
 */
export function requireOffer(row: Operation, caller: Caller): void {
  if (caller.kind === 'person' || isOffered(row, caller)) return;
  const offered = ['people', ...row.roles.map((role) => `${role} agents`)].join(', ');
  throw new Failure(
    'NOT_OFFERED',
    `${row.method} is not offered to agents with the role ${caller.role}, only to ${offered}: ask the person`,
    { metadata: { method: row.method, role: caller.role } },
  );
}

/**
 * Refuses an agent that sets a field reserved for people. An empty list counts as unset.
 * @throws PERMISSION_DENIED naming the field
 */
export function refusePeopleOnly(row: Operation, caller: Caller, request: unknown): void {
  if (caller.kind === 'person' || typeof request !== 'object' || request === null) return;
  const given = new Map(Object.entries(request));
  const field = row.peopleOnly?.fields.find((name) => isGiven(given.get(name)) || isGiven(given.get(snakeCase(name))));
  if (field === undefined) return;
  throw new Failure('PEOPLE_ONLY', `${field} of ${row.method} is for people only: leave it out`, { field });
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
