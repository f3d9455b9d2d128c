import type { ForgeKind, ForgeReading, ForgeRepository } from '#contract/forge/forge.ts';

/** A forge's remaining request quota. `resetAt` is in milliseconds since 1970. */
export interface ForgeQuota {
  readonly remaining: number;
  readonly limit: number;
  readonly resetAt: number;
}

/** What every call is given: it ends at once, with the signal's reason, if the signal is aborted. */
export interface ForgeCall {
  readonly signal?: AbortSignal;
}

/** What every answer carries. */
export interface ForgeAnswer {
  /** From the last answer; unset if the forge reports none. */
  readonly quota?: ForgeQuota;
}

/** Which pull requests to list. */
export interface ForgeQuery {
  /** Those opened from this branch alone. */
  readonly branch?: string;
  readonly state: 'open' | 'all';
  /** Where the page begins: `nextCursor` of the page before it. */
  readonly cursor?: string;
  /** From 1 to 100. */
  readonly pageSize: number;
  /**
   * Leaves out where reviews, checks and mergeability stand (UNSPECIFIED), which some forges must be asked for one by
   * one.
   */
  readonly plain?: true;
}

/** One page, most recently updated first. */
export interface ForgePage extends ForgeAnswer {
  readonly readings: readonly ForgeReading[];
  /** Unset on the last page. */
  readonly nextCursor?: string;
  /** The repository's canonical web address, as the forge has it now: it may have been renamed or moved. */
  readonly repositoryUrl: string;
  /**
   * The repository that this one was forked from, if the forge reports it: its branches' pull requests may be there.
   */
  readonly parent?: ForgeRepository;
  /**
   * What the credential may not see of the pull requests, in a sentence; the fields in question hold NONE or UNKNOWN.
   */
  readonly warning?: string;
}

/** A pull request that is known already. */
export interface ForgePullRequestRef {
  readonly providerId: string;
  readonly number: number;
}

/** Those of the pull requests asked for that the forge still has, in no particular order. */
export interface ForgeReadings extends ForgeAnswer {
  readonly readings: readonly ForgeReading[];
}

/** Whether anything of a repository's pull requests was updated since `mark` was given. Check results do not count. */
export interface ForgeProbe extends ForgeAnswer {
  readonly unchanged: boolean;
  /** To be given to the next probe. */
  readonly mark: string;
}

/** Whom the credential speaks for. */
export interface ForgeIdentity extends ForgeAnswer {
  readonly login: string;
  /** Anything a person should know of the credential, in sentences. */
  readonly warnings: readonly string[];
}

/**
 * One forge, spoken to with one connection's credential. Every call ends within a minute and may throw `ForgeError`.
 * Repositories are named by their path; their host is the client's own.
 */
export interface ForgeClient {
  readonly kind: ForgeKind;
  /** The web host that its repositories live on. */
  readonly host: string;
  list(path: string, query: ForgeQuery, call?: ForgeCall): Promise<ForgePage>;
  /** Reads up to 50 pull requests again: those that left the open ones, or whose mergeability was not known yet. */
  read(path: string, refs: readonly ForgePullRequestRef[], call?: ForgeCall): Promise<ForgeReadings>;
  /** One cheap request; without a mark everything counts as changed. */
  probe(path: string, mark: string | undefined, call?: ForgeCall): Promise<ForgeProbe>;
  check(call?: ForgeCall): Promise<ForgeIdentity>;
}
