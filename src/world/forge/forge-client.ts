import type { ForgeKind, ForgeReading, ForgeRepository } from '#contract/forge/forge.ts';

/** A forge's remaining request quota. `resetAt` is in milliseconds since 1970. */
export interface ForgeQuota {
  readonly remaining: number;
  readonly limit: number;
  readonly resetAt: number;
}

/** The options of every call. If the signal aborts, the call ends at once with the signal's reason. */
export interface ForgeCall {
  readonly signal?: AbortSignal;
}

/** The common part of every answer. */
export interface ForgeAnswer {
  /** From the last response; unset if the forge does not report it. */
  readonly quota?: ForgeQuota;
}

/** Which pull requests to list. */
export interface ForgeQuery {
  /** Only those opened from this branch. */
  readonly branch?: string;
  readonly state: 'open' | 'all';
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string;
  /** From 1 to 100. */
  readonly pageSize: number;
  /** Omits reviews, checks and mergeability (UNSPECIFIED), for which some forges need a request per pull request. */
  readonly plain?: true;
}

/** One page, most recently updated first. */
export interface ForgePage extends ForgeAnswer {
  readonly readings: readonly ForgeReading[];
  /** Unset on the last page. */
  readonly nextCursor?: string;
  /** The repository's current canonical web address. It may have been renamed or moved. */
  readonly repositoryUrl: string;
  /** The repository that this one was forked from, if reported: pull requests of its branches may be there. */
  readonly parent?: ForgeRepository;
  /** The data that the credential may not read, as a sentence. The affected fields are NONE or UNKNOWN. */
  readonly warning?: string;
}

/** A known pull request. */
export interface ForgePullRequestRef {
  readonly providerId: string;
  readonly number: number;
}

/** Those of the requested pull requests that the forge still has, in any order. */
export interface ForgeReadings extends ForgeAnswer {
  readonly readings: readonly ForgeReading[];
}

/** Whether a repository's pull requests were updated since the last `mark`. Check results do not count. */
export interface ForgeProbe extends ForgeAnswer {
  readonly unchanged: boolean;
  /** For the next probe. */
  readonly mark: string;
}

/** The account of the credential. */
export interface ForgeIdentity extends ForgeAnswer {
  readonly login: string;
  /** Warnings about the credential, in sentences. */
  readonly warnings: readonly string[];
}

/**
 * A client of one forge, with one connection's credential. Every call ends within a minute and may throw `ForgeError`.
 * Repositories are named by their path on the client's host.
 */
export interface ForgeClient {
  readonly kind: ForgeKind;
  /** The web host of its repositories. */
  readonly host: string;
  list(path: string, query: ForgeQuery, call?: ForgeCall): Promise<ForgePage>;
  /** Reads up to 50 pull requests again: those that are no longer open, or whose mergeability was unknown. */
  read(path: string, refs: readonly ForgePullRequestRef[], call?: ForgeCall): Promise<ForgeReadings>;
  /** Makes one cheap request. Without a mark, everything counts as changed. */
  probe(path: string, mark: string | undefined, call?: ForgeCall): Promise<ForgeProbe>;
  check(call?: ForgeCall): Promise<ForgeIdentity>;
}
