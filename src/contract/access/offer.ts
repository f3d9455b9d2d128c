import { Failure } from '#contract/failure.ts';
import { isOffered, type Operation } from '#contract/operation.ts';
import type { Caller } from './caller.ts';

/**
 * Refuses a caller whom the table does not offer an operation.
 * @throws Failure `permission_denied` naming the role and the operation.
 */
export function requireOffer(row: Operation, caller: Caller): void {
  if (caller.kind === 'person' || isOffered(row, caller)) return;
  const offered = ['people', ...row.roles.map((role) => `${role} agents`)].join(', ');
  throw new Failure(
    'permission_denied',
    `${row.method} is not offered to agents with the role ${caller.role}, only to ${offered}: ask the person`,
  );
}

/**
 * Refuses an agent that gives a field which is for people alone; an empty list is as good as none.
 * @throws Failure `permission_denied` naming the field.
 */
export function refusePeopleOnly(row: Operation, caller: Caller, request: unknown): void {
  if (caller.kind === 'person' || typeof request !== 'object' || request === null) return;
  const given = new Map(Object.entries(request));
  const field = row.peopleOnly?.fields.find((name) => isGiven(given.get(name)) || isGiven(given.get(snakeCase(name))));
  if (field === undefined) return;
  throw new Failure('permission_denied', `${field} of ${row.method} is for people only: leave it out`);
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
