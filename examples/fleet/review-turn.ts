import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Tools } from './tools.ts';

interface Row {
  readonly agent: {
    readonly id: string;
    readonly branch?: string;
    readonly headSha?: string;
    readonly treeStanding?: string;
    readonly state?: string;
    readonly cwd?: string;
  };
  readonly localReviewVerdict?: string;
  readonly localReviewRounds?: number;
}

const finishWithinMs = 180_000;

/**
 * A scripted author writes, and the person has the work reviewed until it is approved, and lands it on main: the
 * verdict of a reviewer that the author launched itself would not count. Prints what happens, a line each.
 */
export async function reviewTurn(
  person: Tools,
  workflowId: string,
  repository: string,
  print: (line: string) => void,
): Promise<void> {
  const { agent } = await person.call<{ agent: { id: string } }>('create_agent', {
    workflowId,
    title: 'author',
    prompt: 'Write greeting.txt.',
    flags: 'author',
  });
  const until = async (what: string, isSo: (row: Row) => boolean): Promise<Row> => {
    const deadline = Date.now() + finishWithinMs;
    for (;;) {
      const { agent: row } = await person.call<{ agent: Row }>('get_agent', { agentId: agent.id });
      if (isSo(row)) return row;
      if (Date.now() > deadline) throw new Error(`it took too long until ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  await until('the author has written', ({ agent: { state, cwd = '' } }) => {
    return state === 'AGENT_STATE_IDLE' && existsSync(join(cwd, 'greeting.txt'));
  });
  await person.call('create_agent', {
    workflowId,
    parentAgentId: agent.id,
    role: 'AGENT_ROLE_REVIEWER',
    title: 'reviewer',
    prompt: 'Review the greeting.',
    flags: 'reviewer',
  });
  print('the author has written, and you have launched a reviewer');
  await until('changes are requested', (row) => row.localReviewVerdict === 'REVIEW_VERDICT_CHANGES_REQUESTED');
  print('the reviewer has requested changes');
  const { agent: before } = await until(
    'it is approved',
    (row) => row.localReviewVerdict === 'REVIEW_VERDICT_APPROVED' && row.localReviewRounds === 2,
  );
  print('the reviewer has approved round 2');
  const { agent: done } = await until('it is committed', (row) => row.agent.headSha !== before.headSha);
  execFileSync('git', ['-C', repository, 'merge', '-q', '--ff-only', done.branch ?? '']);
  print('you have landed it on main');
  await until('its standing shows that', (row) => row.agent.treeStanding === 'REVIEW_TREE_STANDING_LANDED');
  print('the author’s work shows as landed');
}
