import { createHash } from 'node:crypto';

/** A person's review of a pull request. */
export interface Review {
  readonly user: string;
  readonly verdict: 'approved' | 'changes' | 'comment';
  /** Dismissed, or about an older head. */
  readonly outdated?: true;
}

/** A check on a pull request's head. */
export interface Check {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'running';
}

/** A pull request, independent of any forge. */
export interface Pull {
  readonly number: number;
  readonly title: string;
  readonly branch: string;
  readonly headSha: string;
  readonly base: string;
  readonly baseSha: string;
  /** Where its branch is: here, in a fork with that path, or in a deleted fork. */
  readonly from: 'here' | 'gone' | { readonly fork: string };
  readonly isBranchDeleted?: true;
  readonly draft: boolean;
  readonly state: 'OPEN' | 'CLOSED' | 'MERGED';
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt?: string;
  readonly reviews: readonly Review[];
  /** The requested reviewers who have not reviewed yet. */
  readonly asked: readonly string[];
  /** Whether the rules of its base ask for a review. */
  readonly needsReview?: true;
  readonly checks: readonly Check[];
  readonly merges: 'clean' | 'conflict' | 'behind' | 'blocked' | 'checking' | 'unstable';
  readonly isQueued?: true;
}

export interface Repository {
  readonly path: string;
  /** Whether the credential may see it. */
  readonly isSeen: boolean;
  /** Paths that it had before. */
  readonly formerly: readonly string[];
  readonly parent?: string;
  pulls: readonly Pull[];
}

/** An open pull request from a branch of the repository itself, with nothing against it. */
export function pull(number: number, over: Partial<Pull> = {}): Pull {
  const minute = String(number % 60).padStart(2, '0');
  const hour = String(Math.floor(number / 60)).padStart(2, '0');
  return {
    number,
    title: `Change ${number}`,
    branch: `topic-${number}`,
    headSha: sha(`head ${number}`),
    base: 'main',
    baseSha: sha('base'),
    from: 'here',
    draft: false,
    state: 'OPEN',
    createdAt: `2026-01-01T${hour}:${minute}:00.000Z`,
    updatedAt: `2026-02-01T${hour}:${minute}:00.000Z`,
    reviews: [],
    asked: [],
    checks: [],
    merges: 'clean',
    ...over,
  };
}

/** Forty hexadecimal digits derived from a text. */
export function sha(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

/**
 * A forge's repositories, whom it knows, and how it speaks of itself. Each double reports the same in its forge's
 * words.
 */
export class ForgeWorld {
  readonly token = 'canary-credential-7f3a';
  readonly login = 'robot';
  /** The address that the web pages of the forge are under, without a slash at its end. */
  readonly web = 'https://forge.test';
  readonly repositories: Repository[] = [];

  repository(path: string, over: Partial<Repository> = {}): Repository {
    const made = { path, isSeen: true, formerly: [], pulls: [], ...over };
    this.repositories.push(made);
    return made;
  }

  /** The repository of a path, if the credential may see it. */
  find(path: string): Repository | undefined {
    return this.repositories.find((one) => one.isSeen && one.path.toLowerCase() === path.toLowerCase());
  }

  /** The repository that had a path before. */
  moved(path: string): Repository | undefined {
    return this.repositories.find((one) => one.isSeen && one.formerly.includes(path));
  }

  urlOf(path: string): string {
    return `${this.web}/${path}`;
  }
}

/** Newest first, and among those of one time the higher number. */
export function newestFirst(pulls: readonly Pull[]): Pull[] {
  return pulls.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt) || other.number - one.number);
}

/** The combined result of the checks. */
export function rollup(checks: readonly Check[]): 'none' | Check['state'] {
  if (checks.length === 0) return 'none';
  if (checks.some(({ state }) => state === 'failed')) return 'failed';
  return checks.some(({ state }) => state === 'running') ? 'running' : 'passed';
}

/** The newest verdict of each person that still counts. */
export function verdicts({ reviews }: Pull): Map<string, Review['verdict']> {
  const counting = reviews.filter(({ verdict, outdated }) => verdict !== 'comment' && !outdated);
  return new Map(counting.map(({ user, verdict }) => [user, verdict]));
}
