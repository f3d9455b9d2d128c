import { Checks, Mergeability, type PullRequestState, ReviewDecision } from '#contract/pull-request.ts';
import { type PullRequestFacts, pullRequestState } from '#machines/pull-request.ts';

const opening = `# Where a pull request stands

What the list of agents shows beside an agent is decided from what the forge says of the pull request that was opened from
the agent's branch. The tables below are made from the deciding function itself by \`npm run docs\`; together they answer for
every combination of what a forge can say. Of several pull requests of one branch the newest open one is shown, else the newest
merged, else the newest closed.
`;

const order = `
Of an open pull request the first of these decides: it is a draft; it conflicts with its base (no checks run anew then, so what
they say is old); a check on its head fails; a reviewer asks for changes; it is approved, and then it is \`APPROVED\` only where the
forge would merge it now. One that waits in the forge's merge queue shows \`inMergeQueue\`: approved, it is \`APPROVED_WAITING\`, whatever the
table says; without an approval it is \`OPEN\`, for nobody approved it.

Not every forge tells all of that. GitHub and GitLab say themselves whether they would merge. Of Gitea and Forgejo, one whose branch is not level
with its base is BEHIND; where its base is protected, it is BLOCKED if approvals or checks that the rules ask for are missing, and else
UNKNOWN, for the other rules are shown to owners alone; it is CLEAN or UNSTABLE where its base has no rules. Bitbucket Cloud never says
whether it would merge, nor do we ask whether there is a conflict: there mergeability is UNKNOWN, and an approved one waits.
`;

const states = ['OPEN', 'MERGED', 'CLOSED'] as const;
/** What a forge can say, but for words that stand for nothing said. */
const said = {
  mergeability: Mergeability.options.slice(1),
  checks: Checks.options.slice(1),
  reviewDecision: ReviewDecision.options.slice(1),
} as const;
const reviewRows = said.checks.flatMap((checks) =>
  said.reviewDecision.map((reviewDecision) => ({ checks, reviewDecision })),
);

/** The page \`docs/pull-requests.md\`: where a pull request stands for all that a forge can say. */
export function pullRequestPage(): string {
  const settled = [
    { words: 'the first sweep of the repository has not ended', answers: answersOf(undefined, false) },
    { words: 'the repository was read, and nothing was opened from the branch', answers: answersOf(undefined, true) },
    ...states.flatMap((state) =>
      [true, false].map((draft) => ({
        words: `${state.toLowerCase()}, ${draft ? 'marked a draft' : 'no draft'}`,
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
    '| what is so | where it stands |',
    '|---|---|',
    ...rows,
    order,
    '## Open and no draft',
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

/** The answers for every checks and reviews, and in each row for every mergeability. */
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
