import type { Worktree } from './worktree.ts';

/** A host that an agent moves from or to. */
export interface MovePlace {
  readonly hostId: string;
  /** What people call the host. */
  readonly host: string;
  /** The directory that the agent is launched into there: a checkout, or where it runs. */
  readonly cwd: string;
}

/** The file in which an agent's work and conversation are carried. */
export interface MovePackage {
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal. */
  readonly digest: string;
}

/** A move to another host, from the request until the agent has arrived, or is back. */
export interface Move {
  /** Names the package on both hosts. */
  readonly id: string;
  readonly from: MovePlace;
  readonly to: MovePlace;
  /** Whether the package is made from the last round, because the host is lost. */
  readonly fromRound?: true;
  /** Commits that the other host has, which are not carried. */
  readonly known: readonly string[];
  readonly package?: MovePackage;
  /** Why it returns; absent while it moves on. */
  readonly failed?: string;
  /** What it is on the host that it leaves, and is again if it returns. */
  readonly left?: {
    readonly was: 'live' | 'dormant' | 'archived';
    readonly worktree: Worktree | undefined;
    readonly prepared: boolean;
    /** Its window, if nobody could close it. */
    readonly paneId?: string;
  };
}

/** What a request to move carries. */
export type MoveOrder = Pick<Move, 'id' | 'from' | 'to' | 'known' | 'fromRound' | 'package'>;
