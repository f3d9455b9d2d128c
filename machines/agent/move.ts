import type { Worktree } from './worktree.ts';

/** A host that an agent moves from or to. */
export interface MovePlace {
  readonly hostId: string;
  /** The host's name. */
  readonly host: string;
  /** The agent's directory there: a checkout, or the directory in which it runs. */
  readonly cwd: string;
}

/** The file that contains an agent's work and conversation. */
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
  /** Commits that the other host has, which are left out. */
  readonly known: readonly string[];
  readonly package?: MovePackage;
  /** Why it returns; absent while it moves on. */
  readonly failed?: string;
  /** Its state on the host that it leaves, restored if it returns. */
  readonly left?: {
    readonly was: 'live' | 'dormant' | 'archived';
    readonly worktree: Worktree | undefined;
    readonly prepared: boolean;
    /** Its window, if it could not be closed. */
    readonly paneId?: string;
  };
}

/** The parameters of a request to move. */
export type MoveOptions = Pick<Move, 'id' | 'from' | 'to' | 'known' | 'fromRound' | 'package'>;
