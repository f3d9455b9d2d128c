import { whyOfFact } from './notice-of-fact.ts';

type Detail = Readonly<Record<string, unknown>>;

/** What a fact about an account, a budget, a host or a backup says, by its kind. */
const lines: Readonly<Record<string, (name: string, detail: Detail) => string>> = {
  'account.limited': (_, { account, limit, until, parked }) => {
    const what = limit === 'credential' ? 'is signed out' : 'reached its usage limit';
    const end = typeof until === 'number' ? ` until ${new Date(until).toISOString()}` : '';
    return `the account ${account} ${what}${end}: ${parked === 1 ? '1 agent' : `${parked} agents`} parked`;
  },
  'account.freed': (_, { account }) => `the account ${account} works again`,
  'budget.near': (name, detail) => `the budget of ${name}: ${whyOfFact(detail)}`,
  'budget.spent': (name, detail) => `the budget of ${name} is used up: ${whyOfFact(detail)}`,
  'budget.continued': (name) => `the budget of ${name} was continued`,
  'host.lost': (name) => `the host ${name} was lost`,
  'host.seen': (name) => `the host ${name} is back`,
  'installation.restored': (_, { takenAt }) =>
    `muster was restored from the backup of ${takenAt}: what was done after that is lost`,
  'installation.backup-failed': (_, detail) => `the scheduled backup could not be made: ${whyOfFact(detail)}`,
};

/** A fact about the installation in one line; `name` is that of its subject. A kind that only a newer service knows is itself. */
export function installationLine(kind: string, name: string, detail: string): string {
  const fields: unknown = JSON.parse(detail || '{}');
  return lines[kind]?.(name, fields as Detail) ?? kind;
}
