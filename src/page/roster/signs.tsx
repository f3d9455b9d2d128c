import { ownerText } from '#contract/budget/budget-text.ts';
import { pullRequestWord } from '#contract/forge/pull-request-words.ts';
import { enumName } from '#page/api/enum-name.ts';
import { type AgentRow, ReviewVerdict } from '#page/client/agent/v1/agent_pb.js';
import { PullRequestState, PullRequestStateSchema } from '#page/client/forge/v1/forge_pb.js';
import { conclusionWords } from '#page/parts/conclusion.ts';
import { Remaining } from '#page/parts/elapsed.tsx';
import { Icon } from '#page/parts/icon.tsx';
import './signs.css';

type Tone = 'plain' | 'good' | 'bad' | 'busy';

const pullTones: Readonly<Partial<Record<PullRequestState, Tone>>> = {
  [PullRequestState.APPROVED]: 'good',
  [PullRequestState.APPROVED_WAITING]: 'busy',
  [PullRequestState.CHANGES_REQUESTED]: 'bad',
  [PullRequestState.MERGED]: 'good',
  [PullRequestState.FAILING]: 'bad',
  [PullRequestState.CONFLICTING]: 'bad',
};
/** Why a pull request needs work, as short text. */
const badWords: Readonly<Partial<Record<PullRequestState, string>>> = {
  [PullRequestState.CHANGES_REQUESTED]: 'changes',
  [PullRequestState.FAILING]: 'failing',
  [PullRequestState.CONFLICTING]: 'conflict',
};
const verdicts: Readonly<Record<ReviewVerdict, readonly [word: string, tone: Tone]>> = {
  [ReviewVerdict.UNSPECIFIED]: ['under review', 'busy'],
  [ReviewVerdict.APPROVED]: ['approved', 'good'],
  [ReviewVerdict.CHANGES_REQUESTED]: ['changes requested', 'bad'],
  [ReviewVerdict.COMMENTED]: ['commented', 'plain'],
};

interface RowIcon {
  readonly icon: 'mail' | 'review' | 'reply' | 'pull' | 'bell' | 'hand' | 'away' | 'parked';
  readonly tone: Tone;
  /** The text next to the icon. */
  readonly text: string;
  /** The full meaning. */
  readonly title: string;
  /** A time in RFC 3339 until which it lasts; a countdown follows the text. Empty if that is not known. */
  readonly until?: string;
}

function* signsOf(row: AgentRow): Generator<RowIcon> {
  const {
    agent,
    unreadMailCount: mails,
    doorbellRungAt,
    localReviewRounds: rounds,
    unreadReviewThreads: replies,
    pullRequest,
  } = row;
  if (agent?.hostRemovedAt) {
    const title = `a person removed its host at ${agent.hostRemovedAt}`;
    yield { icon: 'away', tone: 'bad', text: 'host removed', title };
  } else if (agent?.lastKnownAt) {
    yield {
      icon: 'away',
      tone: 'bad',
      text: 'last known',
      title: `last known at ${agent.lastKnownAt}: its host is lost`,
    };
  }
  if (agent?.heldAt) yield { icon: 'hand', tone: 'busy', text: 'held', title: 'a person has taken it over' };
  if (agent?.overBudget !== undefined) {
    const title = `the budget of ${ownerText(agent.overBudget)} is used up: muster types nothing to it until you continue that`;
    yield { icon: 'hand', tone: 'bad', text: 'over budget', title };
  }
  if (agent?.park) {
    const { until, account } = agent.park;
    const title = `parked${account && `: ${account}`}${until && `, until ${until}`}`;
    yield { icon: 'parked', tone: 'busy', text: 'parked', title, until };
  }
  if (mails > 0)
    yield { icon: 'mail', tone: 'plain', text: String(mails), title: `${mails} unread mail${mails > 1 ? 's' : ''}` };
  if (doorbellRungAt) yield { icon: 'bell', tone: 'busy', text: '', title: 'notified, no response yet' };
  if (rounds > 0) {
    const [, tone] = verdictOf(row.localReviewVerdict);
    yield { icon: 'review', tone, text: String(rounds), title: `review round ${rounds}: ${reviewWords(row)}` };
  }
  if (replies > 0) {
    const title = replies === 1 ? 'a new reply in its review' : `new replies in ${replies} threads of its review`;
    yield { icon: 'reply', tone: 'busy', text: String(replies), title };
  }
  // If there is no pull request, or its repository was not read yet, the number is 0.
  if (pullRequest !== undefined && pullRequest.number > 0) {
    const { number, state } = pullRequest;
    const word = pullRequestWord(enumName(PullRequestStateSchema, state));
    const tone = pullTones[state] ?? 'plain';
    const text = tone === 'bad' ? `#${number} ${badWords[state] ?? word}` : `#${number}`;
    yield { icon: 'pull', tone, text, title: `pull request #${number}: ${word}` };
  }
}

function verdictOf(verdict: ReviewVerdict) {
  return verdicts[verdict] ?? verdicts[ReviewVerdict.UNSPECIFIED];
}

/** The verdict that counts, with its author, and a newer one that does not count. */
function reviewWords({
  localReviewVerdict,
  localReviewConclusion,
  uncountedReviewConclusion: other,
}: AgentRow): string {
  const [word] = verdictOf(localReviewVerdict);
  const current = localReviewConclusion ? `${word} ${conclusionWords(localReviewConclusion)}` : word;
  return other ? `${current}; ${verdictOf(other.verdict)[0]} ${conclusionWords(other)}` : current;
}

/** Up to how many signs of a row all have text; with more, there is not enough space. */
const maxWords = 3;

interface SignsProps {
  readonly row: AgentRow;
  /** Whether each sign shows its full meaning, instead of all in one short row. */
  readonly withWords?: boolean;
  readonly isBrief?: boolean;
}

/** Signs of what else concerns an agent: taken over, mail, doorbell, review, pull request. */
export function Signs({ row, withWords = false, isBrief = false }: SignsProps) {
  const signs = [...signsOf(row)];
  return (
    <span className="signs" data-brief={isBrief} data-crowded={isBrief && signs.length > maxWords}>
      {signs.map(({ icon, tone, text, title, until = '' }) => (
        <span key={icon} className="sign" data-icon={icon} data-tone={tone} title={title}>
          <Icon name={icon} />
          <span className="sign-text" aria-hidden="true">
            {withWords ? title : text}
            {until !== '' && (
              <>
                {' '}
                <Remaining until={until} />
              </>
            )}
          </span>
          <span className="unseen">{title}</span>
        </span>
      ))}
    </span>
  );
}
