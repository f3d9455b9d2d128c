import type { ScreenRule } from '#contract/pane/screen-rule.ts';
import { rank } from './common.ts';

/** What covers Claude Code's session, or its footer, without asking anything. */
export const claudeCovers: readonly ScreenRule[] = [
  {
    id: 'claude/viewer',
    priority: rank.viewer,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'viewer',
    all: [{ in: 'screen', is: 'present' }],
    any: [
      { in: 'tail', last: 4, text: 'Showing (?:detailed )?transcript' },
      { in: 'tail', row: '^[ │]*⌕ ' },
      { in: 'tail', text: 'general commands custom-commands' },
    ],
  },
  {
    // Typing there begins another session, and the agent's own continues hidden.
    id: 'claude/agents-view',
    priority: rank.viewer,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'agents',
    all: [{ in: 'screen', is: 'present' }],
    any: [
      { in: 'title', row: '(?:^|· )claude agents$' },
      { in: 'composer', row: '^describe a task for a new session' },
      { in: 'footer', text: '^(?:enter to \\w+ · )?(?:space to \\w[\\w ]* · )?ctrl\\+x to remove\\b' },
    ],
  },
  {
    id: 'claude/help',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'help',
    all: [{ in: 'footer', text: '! for (?:shell|bash) mode .*/ for commands' }],
  },
];
