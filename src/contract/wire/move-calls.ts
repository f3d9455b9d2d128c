import { z } from 'zod';

/** Names the file in which an agent is carried, on both hosts. */
export const MoveId = z.string().regex(/^mov_[0-9A-HJKMNP-TV-Z]{26}$/, 'is not the id of a move');

/** A commit's full name. */
const Sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'a commit is named by its 40 or 64 hexadecimal digits');

/** How many commits of a host's repository are named, so that what they contain need not be carried. */
export const maxKnown = 1_000;

/** How many bytes of a package one message carries: its Base64 must fit into a message on the bus with room to spare. */
export const pieceBytes = 512 * 1024;

/** The largest package that is carried, in bytes. */
export const maxPackageBytes = 4 * 1024 ** 3;

/** The largest package of a round that the registry keeps, in bytes. */
export const maxRoundBytes = 64 * 1024 ** 2;

/** How long a host may take to check what a move needs of it, in milliseconds. */
const checkMs = 20_000;

/** The calls of the registry to hosts for an agent that moves. */
export const moveCalls = {
  /**
   * Asks the host that an agent is to move to whether it could take it. Changes nothing.
   * @throws Failure that says what it lacks
   */
  checkArrival: {
    verb: 'check-arrival',
    withinMs: checkMs,
    request: z.object({
      agentId: z.string(),
      harness: z.string(),
      /** The directory there, or the one on the other host; in the second case it need not exist. */
      cwd: z.string(),
      isNamed: z.boolean(),
      /** Whether the agent has a worktree, which needs a repository there. */
      provision: z.boolean(),
      /** Commits that the repository there must have, because they are not carried. */
      needs: z.array(Sha).max(maxKnown).optional(),
    }),
    response: z.object({
      /** The directory that it will be launched into. */
      cwd: z.string(),
      /** Whether the host has no such repository, and makes one from what is carried. */
      clones: z.boolean(),
      /** Commits at the ends of its branches and tags. */
      known: z.array(Sha).max(maxKnown),
    }),
  },
  /** What speaks against carrying an agent from this host, and what would not be carried. Changes nothing. */
  checkDeparture: {
    verb: 'check-departure',
    withinMs: checkMs,
    request: z.object({ agentId: z.string(), known: z.array(Sha).max(maxKnown) }),
    response: z.object({
      against: z.array(z.string()).max(100),
      notCarried: z.array(z.string()).max(100),
      /** Whether the other host's repository has a commit in common with this one; true without a worktree. */
      isRelated: z.boolean(),
    }),
  },
  /**
   * Packs an agent as it is, without the commits that its repository knows of remotes, so that it can move although this
   * host is lost later.
   */
  packRound: {
    verb: 'pack-round',
    withinMs: 120_000,
    request: z.object({ agentId: z.string(), packageId: MoveId }),
    response: z.object({
      bytes: z.int().min(1).max(maxRoundBytes),
      digest: z.string().regex(/^[0-9a-f]{64}$/),
      /** Commits that another host must have. */
      needs: z.array(Sha).max(maxKnown),
      notCarried: z.array(z.string()).max(100),
    }),
  },
  /** Removes a package that `packRound` made. */
  dropPackage: {
    verb: 'drop-package',
    withinMs: 8_000,
    request: z.object({ packageId: MoveId }),
    response: z.object({}),
  },
  /** A piece of a package that this host has made. */
  readPackage: {
    verb: 'read-package',
    withinMs: 8_000,
    request: z.object({ agentId: z.string(), moveId: MoveId, offset: z.int().min(0) }),
    /** Base64. */
    response: z.object({ data: z.string().max(2 * pieceBytes) }),
  },
} as const;
