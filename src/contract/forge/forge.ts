import type { z } from 'zod';
import type { Checks, ForgePullRequest, Mergeability, ReviewDecision } from './pull-request.ts';

/** The kinds of forge that are spoken to. Forgejo speaks as Gitea does. */
export const forgeKinds = ['github', 'gitlab', 'gitea', 'bitbucket'] as const;
export type ForgeKind = (typeof forgeKinds)[number];

/** A repository on a forge: the web host in lower case, with a port where it has one, and the path below it. */
export interface ForgeRepository {
  readonly host: string;
  /** For example `owner/name`, without slashes around it and without `.git`. */
  readonly path: string;
}

/** How far a pull request has got on its forge. */
export type ForgeReadingState = 'OPEN' | 'CLOSED' | 'MERGED';

type Wire = Omit<z.output<typeof ForgePullRequest>, 'forge' | 'state' | 'mergedAt' | 'closedAt'>;
/** The fields that every pull request has. */
type WireFields = { readonly [K in keyof Wire]-?: NonNullable<Wire[K]> };

/** One pull request as read from a forge just now. Timestamps are RFC 3339 in UTC with milliseconds. */
export interface ForgeReading extends WireFields {
  readonly forge: ForgeKind;
  readonly state: ForgeReadingState;
  /** Unset while not merged. */
  readonly mergedAt?: string;
  /** Unset while open; a merged one carries it too. */
  readonly closedAt?: string;
  readonly reviewDecision: z.output<typeof ReviewDecision>;
  readonly checks: z.output<typeof Checks>;
  readonly mergeability: z.output<typeof Mergeability>;
  /** Names of checks that failed on its head, as the forge shows them; at most 20. */
  readonly failingChecks: readonly string[];
  /** Whether it waits in the forge's merge queue. */
  readonly inMergeQueue: boolean;
  /** Whether the forge will say no more of merging than it did, though that is UNKNOWN. */
  readonly mergeIsFinal?: true;
}
