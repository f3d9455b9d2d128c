import type { RoundStatus } from '#world/git/review/standing.ts';
import { type StandingScene, withLines } from './standing-scene.ts';

export interface StandingCase {
  readonly what: string;
  readonly play: (scene: StandingScene) => Promise<unknown>;
  readonly want: RoundStatus['standing'];
}

/** What the worktree is after the round, on a base that does not hold the round and on one that does. */
const worktrees: readonly {
  readonly what: string;
  readonly play: (scene: StandingScene) => unknown;
  readonly notHeld: StandingCase['want'];
  readonly held: StandingCase['want'];
}[] = [
  {
    what: 'the round, not committed',
    play: (s) => s.git('reset', '-q', 'HEAD~1'),
    notHeld: 'UNSPECIFIED',
    held: 'LANDED',
  },
  { what: 'the round, committed', play: () => {}, notHeld: 'UNSPECIFIED', held: 'LANDED' },
  {
    what: "the base's tip",
    play: (s) => s.git('reset', '-q', '--hard', 'origin/main'),
    notHeld: 'MOVED',
    held: 'LANDED',
  },
  {
    what: 'an older commit of the base',
    play: (s) => s.git('reset', '-q', '--hard', 'HEAD~1'),
    notHeld: 'MOVED',
    held: 'LANDED',
  },
  {
    what: 'the round with the base pulled',
    play: (s) => s.git('merge', '-q', '-m', 'pull', 'origin/main'),
    notHeld: 'MOVED',
    held: 'LANDED',
  },
  {
    what: 'the round and more',
    play: (s) => s.write('work/more.txt', 'more\n'),
    notHeld: 'MOVED',
    held: 'LANDED_MOVED',
  },
  {
    what: 'the base and more',
    play: (s) => {
      s.git('reset', '-q', '--hard', 'origin/main');
      s.write('work/more.txt', 'more\n');
    },
    notHeld: 'MOVED',
    held: 'LANDED_MOVED',
  },
  {
    what: 'the round with its own line written anew',
    play: (s) => s.write('work/a.txt', withLines({ 3: 'better\n' })),
    notHeld: 'MOVED',
    held: 'LANDED_MOVED',
  },
  {
    what: 'the round and ignored files',
    play: (s) => s.write('work/x.log', 'log'),
    notHeld: 'UNSPECIFIED',
    held: 'LANDED',
  },
  {
    what: 'the round with an executable bit',
    play: (s) => s.write('work/new.txt', 'new\n', 0o755),
    notHeld: 'MOVED',
    held: 'LANDED_MOVED',
  },
];

const onBothBases = worktrees.flatMap(({ what, play, notHeld, held }): StandingCase[] => [
  {
    what: `${what}, on a base that does not hold it`,
    async play(s) {
      play(await s.apart());
    },
    want: notHeld,
  },
  {
    what: `${what}, on a base that holds it`,
    async play(s) {
      play(await s.held());
    },
    want: held,
  },
]);

/** Ways in which a round came to the base, with the worktree still as the round was. */
const ways: readonly StandingCase[] = [
  {
    what: 'fast-forward',
    play: async (s) => (await s.round()).land('merge', '-q', '--ff-only', 'FETCH_HEAD'),
    want: 'LANDED',
  },
  {
    what: 'by a merge commit',
    play: async (s) => (await s.round()).land('merge', '-q', '--no-ff', '-m', 'merge', 'FETCH_HEAD'),
    want: 'LANDED',
  },
  { what: 'squashed', play: async (s) => (await s.edit().cut()).commit().squash(), want: 'LANDED' },
  {
    what: 'rebased',
    async play(s) {
      await s.round();
      s.baseCommit({ 'b.txt': 'elsewhere\n' }).land('cherry-pick', 'FETCH_HEAD');
    },
    want: 'LANDED',
  },
  {
    what: 'picked commit by commit',
    async play(s) {
      s.edit().commit();
      s.write('work/a.txt', withLines({ 3: 'work\n', 25: 'more\n' }));
      (await s.commit('more').cut()).land('cherry-pick', 'FETCH_HEAD~1', 'FETCH_HEAD');
    },
    want: 'LANDED',
  },
  {
    what: 'squashed, and the base changed elsewhere since',
    play: async (s) => (await s.round()).squash().baseCommit({ 'b.txt': 'later\n' }),
    want: 'LANDED',
  },
  {
    what: 'squashed, and the base changed other lines of the same file',
    play: async (s) => (await s.round()).squash().baseCommit({ 'a.txt': withLines({ 3: 'work\n', 25: 'later\n' }) }),
    want: 'LANDED',
  },
  {
    what: 'squashed, and the base renamed the file',
    async play(s) {
      (await s.round()).squash().base('mv', 'a.txt', 'renamed.txt');
      s.baseCommit({});
    },
    want: 'LANDED',
  },
  {
    what: 'squashed, and the base changed the same line later',
    play: async (s) => (await s.round()).squash().baseCommit({ 'a.txt': withLines({ 3: 'later\n' }) }),
    want: 'LANDED',
  },
  {
    what: 'squashed onto a base that had changed the file, which then changed the same line',
    async play(s) {
      await s.round();
      s.baseCommit({ 'a.txt': withLines({ 25: 'before\n' }) }).squash();
      s.baseCommit({ 'a.txt': withLines({ 3: 'later\n', 25: 'before\n' }) });
    },
    want: 'LANDED',
  },
  {
    what: 'with one commit of two',
    async play(s) {
      s.edit().commit();
      s.write('work/b.txt', 'more\n');
      (await s.commit('more').cut()).land('cherry-pick', 'FETCH_HEAD~1');
    },
    want: 'UNSPECIFIED',
  },
  {
    what: 'with one hunk of two',
    async play(s) {
      s.write('work/a.txt', withLines({ 3: 'work\n', 25: 'more\n' }));
      (await s.commit().cut()).baseCommit({ 'a.txt': withLines({ 3: 'work\n' }) });
    },
    want: 'UNSPECIFIED',
  },
  {
    what: 'squashed, and reverted',
    play: async (s) => (await s.round()).squash().base('revert', '--no-edit', 'HEAD'),
    want: 'UNSPECIFIED',
  },
  {
    what: 'by a merge commit, and reverted',
    async play(s) {
      (await s.round()).land('merge', '-q', '--no-ff', '-m', 'merge', 'FETCH_HEAD');
      s.base('revert', '--no-edit', '-m', '1', 'HEAD');
    },
    want: 'UNSPECIFIED',
  },
  {
    what: 'with other bytes',
    play: async (s) => (await s.round()).baseCommit({ 'a.txt': withLines({ 3: 'Work!\n' }), 'new.txt': 'new\n' }),
    want: 'UNSPECIFIED',
  },
  {
    what: 'never: the base was replaced by something unrelated',
    async play(s) {
      await s.round();
      s.base('checkout', '-q', '--orphan', 'other');
      s.baseCommit({ 'b.txt': 'unrelated\n' }).base('branch', '-q', '-M', 'other', 'main');
    },
    want: 'UNSPECIFIED',
  },
  {
    what: 'in an unrelated history with the same contents',
    async play(s) {
      await s.round();
      s.base('checkout', '-q', '--orphan', 'other');
      s.baseCommit({ 'a.txt': withLines({ 3: 'work\n' }), 'new.txt': 'new\n', 'b.txt': 'unrelated\n' });
      s.base('branch', '-q', '-M', 'other', 'main');
    },
    want: 'LANDED',
  },
  {
    what: 'as a binary file',
    async play(s) {
      s.write('work/c.bin', '\0two');
      (await s.commit().cut()).baseCommit({ 'b.txt': 'elsewhere\n' }).squash();
    },
    want: 'LANDED',
  },
  {
    what: 'as a change of mode',
    async play(s) {
      s.write('work/b.txt', 'two\n', 0o755);
      (await s.commit().cut()).baseCommit({ 'a.txt': withLines({ 9: 'elsewhere\n' }) }).squash();
    },
    want: 'LANDED',
  },
  {
    what: 'as a deletion',
    async play(s) {
      s.git('rm', '-q', 'b.txt');
      (await s.commit().cut()).baseCommit({ 'a.txt': withLines({ 9: 'elsewhere\n' }) }).squash();
    },
    want: 'LANDED',
  },
  {
    what: 'as a file that was renamed and edited',
    async play(s) {
      s.git('mv', 'old.txt', 'better.txt');
      s.write('work/better.txt', withLines({ 9: 'edited\n' }).replaceAll('line', 'other'));
      (await s.commit().cut()).baseCommit({ 'a.txt': withLines({ 9: 'elsewhere\n' }) }).squash();
    },
    want: 'LANDED',
  },
];

const nothingToSay: readonly StandingCase[] = [
  { what: 'a round that changed nothing', play: (s) => s.cut(), want: 'LANDED' },
  {
    what: 'new work since a round that changed nothing',
    play: async (s) => (await s.cut()).edit(),
    want: 'LANDED_MOVED',
  },
  {
    what: 'new work, committed, since a round that changed nothing',
    play: async (s) => (await s.cut()).edit().commit(),
    want: 'LANDED_MOVED',
  },
  {
    what: 'while a merge is part-way through',
    async play(s) {
      (await s.round()).squash().fetch();
      s.write('work/more.txt', 'more\n');
      s.write('work/.git/MERGE_HEAD', `${s.git('rev-parse', 'HEAD')}\n`);
    },
    want: 'UNSPECIFIED',
  },
  {
    what: 'where the base branch is gone',
    async play(s) {
      (await s.round()).squash();
      s.write('work/more.txt', 'more\n');
      s.git('update-ref', '-d', 'refs/remotes/origin/main');
    },
    want: 'UNSPECIFIED',
  },
];

/** The truth table of standings: 44 scenarios. */
export const standingCases: readonly StandingCase[] = [
  ...onBothBases,
  ...ways.map((one) => ({
    ...one,
    what: `a round that came to the base ${one.what}`,
    play: async (s: StandingScene) => {
      await one.play(s);
      s.fetch();
    },
  })),
  ...nothingToSay,
];
