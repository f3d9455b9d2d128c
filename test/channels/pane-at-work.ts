import type { FakeHost } from '#test/registry/fake-host.ts';

/** What the pane of every agent of a test shows: a CLI that waits for a person. */
export const paneAtWork: NonNullable<FakeHost['pane']> = {
  at: Date.UTC(2026, 10, 21, 9, 5),
  screen: {
    text: '\u001b[1mDo you want to proceed?\u001b[0m\n❯ 1. Yes\n  2. No',
    above: 0,
    title: '✳ Claude Code',
    programStatus: '',
    progress: '',
    width: 80,
    height: 24,
    cursor: { column: 1, row: 2 },
    command: 'claude',
    inMode: false,
    dead: false,
  },
  screenDigest: 'd1',
  reading: {
    state: 'AGENT_STATE_WAITING',
    rule: 'claude/permission',
    evidence: ['❯ 1. Yes'],
    reason: 'permission',
    detail: '',
  },
  lost: [{ rule: 'claude/rest', why: 'outranked by claude/permission' }],
  rules: { harness: 'claude', version: 'abc123' },
};
