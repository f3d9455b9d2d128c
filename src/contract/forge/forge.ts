import type { z } from 'zod';
import type { Checks, ForgePullRequest, Mergeability, ReviewDecision } from './pull-request.ts';

/** The supported kinds of forge. Forgejo has the API of Gitea. */
export const forgeKinds = ['github', 'gitlab', 'gitea', 'bitbucket'] as const;
export type ForgeKind = (typeof forgeKinds)[number];

/** A repository on a forge: the web host in lower case, with its port if any, and the path. */
export interface ForgeRepository {
  readonly host: string;
  /** Such as `owner/name`, without leading and trailing slashes and `.git`. */
  readonly path: string;
}

/** The state of a pull request on its forge. */
export type ForgeReadingState = 'OPEN' | 'CLOSED' | 'MERGED';

type Wire = Omit<z.output<typeof ForgePullRequest>, 'forge' | 'state' | 'mergedAt' | 'closedAt'>;
/** The fields that every pull request has. */
type WireFields = { readonly [K in keyof Wire]-?: NonNullable<Wire[K]> };

/** A pull request as just read from a forge. Timestamps are RFC 3339 in UTC with milliseconds. */
export interface ForgeReading extends WireFields {
  readonly forge: ForgeKind;
  readonly state: ForgeReadingState;
  /** Unset while not merged. */
  readonly mergedAt?: string;
  /** Unset while open; a merged one has it too. */
  readonly closedAt?: string;
  readonly reviewDecision: z.output<typeof ReviewDecision>;
  readonly checks: z.output<typeof Checks>;
  readonly mergeability: z.output<typeof Mergeability>;
  /** Names of the checks that failed on its head, as the forge shows them; at most 20. */
  readonly failingChecks: readonly string[];
  /** Whether it waits in the forge's merge queue. */
  readonly inMergeQueue: boolean;
  /** Set if `mergeability` is UNKNOWN and the forge will not determine it later. */
  readonly mergeIsFinal?: true;
}
