import { Checks, Mergeability, type PullRequestState, ReviewDecision } from '#contract/forge/pull-request.ts';
import { type PullRequestFacts, pullRequestState } from '#machines/forge/pull-request.ts';

const opening = `# Where a pull request stands

The list of agents shows, next to each agent, the state of the pull request that was opened from its branch, decided from what
the forge reports. \`npm run docs\` generates the tables below from the deciding function itself; together they cover every
combination that a forge can report. If a branch has several pull requests, the newest open one is shown, otherwise the newest
merged, otherwise the newest closed.
`;

const order = `
For an open pull request the first match decides: it is a draft; it conflicts with its base (no checks run then, so their
results are old); a check on its head fails; a reviewer requests changes; it is approved, which is \`APPROVED\` only if the forge
would merge it now. One in the forge's merge queue shows \`inMergeQueue\`: approved, it is \`APPROVED_WAITING\`, whatever the
table says; without an approval it is \`OPEN\`, because nobody approved it.

Not every forge reports all of that. GitHub and GitLab report whether they would merge. On Gitea and Forgejo, a pull request whose
branch is not level with its base is BEHIND. If its base is protected, it is BLOCKED if required approvals or checks are missing,
and otherwise UNKNOWN, because only owners see the other rules; without rules it is CLEAN or UNSTABLE. Bitbucket Cloud never
reports whether it would merge, and muster does not ask it for conflicts: mergeability is UNKNOWN, and an approved one waits.
`;

const states = ['OPEN', 'MERGED', 'CLOSED'] as const;
/** The values that a forge can report, without the unspecified ones. */
const said = {
  mergeability: Mergeability.options.slice(1),
  checks: Checks.options.slice(1),
  reviewDecision: ReviewDecision.options.slice(1),
} as const;
const reviewRows = said.checks.flatMap((checks) =>
  said.reviewDecision.map((reviewDecision) => ({ checks, reviewDecision })),
);

/** The page \`docs/pull-requests.md\`: the state of a pull request for everything that a forge can report. */
export function pullRequestPage(): string {
  const settled = [
    { words: 'the first sweep of the repository is not complete', answers: answersOf(undefined, false) },
    { words: 'the repository was read, and nothing was opened from the branch', answers: answersOf(undefined, true) },
    ...states.flatMap((state) =>
      [true, false].map((draft) => ({
        words: `${state.toLowerCase()}, ${draft ? 'a draft' : 'not a draft'}`,
        answers: answersOf({ state, draft }, true),
      })),
    ),
  ];
  const rows = settled.map(({ words, answers }) => {
    const [only, ...more] = new Set(answers.flat());
    return `| ${words} | ${only === undefined || more.length > 0 ? 'see below' : short(only)} |`;
  });
  return [
    opening,
    '| condition | state |',
    '|---|---|',
    ...rows,
    order,
    '## Open and not a draft',
    '',
    `| checks | reviews | ${said.mergeability.map(short).join(' | ')} |`,
    `|---|---|${said.mergeability.map(() => '---|').join('')}`,
    ...answersOf({ state: 'OPEN', draft: false }, true).map((answers, row) => {
      const { checks, reviewDecision } = reviewRows[row] ?? {};
      return `| ${short(checks)} | ${short(reviewDecision)} | ${answers.map(short).join(' | ')} |`;
    }),
    '',
  ].join('\n');
}

/** The states for each combination of checks and reviews, in each row by mergeability. */
function answersOf(
  given: Pick<PullRequestFacts, 'state' | 'draft'> | undefined,
  isRead: boolean,
): PullRequestState[][] {
  return reviewRows.map((row) =>
    said.mergeability.map((mergeability) =>
      pullRequestState(given && { ...given, ...row, mergeability, inMergeQueue: false }, isRead),
    ),
  );
}

function short(name = ''): string {
  return name.replace(/^(PULL_REQUEST_STATE|MERGEABILITY|CHECKS|REVIEW_DECISION)_/, '');
}
