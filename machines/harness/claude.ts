import { claude as screens } from '#machines/pane/harness/claude.ts';
import type { Harness } from './definition.ts';

/** Claude Code. */
export const claude: Harness = {
  name: 'claude',
  codingAgent: true,
  command: 'claude',
  versionArgs: ['--version'],
  recordedWith: '2.1.332',
  start: ['--session-id', '{sessionId}'],
  resume: ['--resume', '{sessionId}'],
  conversation: {
    variable: 'CLAUDE_CONFIG_DIR',
    folder: '.claude',
    files: ['projects/{folder}/{sessionId}.jsonl', 'projects/{folder}/{sessionId}/**', 'file-history/{sessionId}/**'],
    spelling: 'dashes',
    cwdField: 'cwd',
  },
  env: {},
  commandPrefixes: ['!', '/', '&'],
  variables: ['ANTHROPIC_*', 'CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_*'],
  takesPromptsAtWork: true,
  limitChoices: ['Stop and wait'],
  reports: {
    through: 'settings',
    sessionField: 'session_id',
    // A notice that it has been idle for a minute would replace its last report.
    matchers: { Notification: '^(?!idle_prompt$)' },
    words: {
      SessionStart: 'session {source}',
      UserPromptSubmit: 'working',
      PermissionRequest: 'asks permission: {tool_name}',
      Notification: '{message}',
      Stop: 'done: {last_assistant_message}',
      StopFailure: 'failed: {error}',
    },
  },
  tools: {
    through: 'flag',
    flag: '--mcp-config',
    // Otherwise it would have to search for the tools first, without knowing which there are.
    entry: { alwaysLoad: true },
    allowing: { flag: '--allowedTools', tool: 'mcp__muster__{tool}', joinedBy: ',' },
  },
  isolated: {
    folder: { path: '.claude', variable: 'CLAUDE_CONFIG_DIR' },
    hosts: ['*.anthropic.com', 'claude.ai', '*.claude.ai', 'claude.com', '*.claude.com'],
    shared: ['.claude/.credentials.json'],
    copied: ['.claude.json'],
    readable: [
      '.claude/settings.json',
      '.claude/CLAUDE.md',
      '.claude/commands',
      '.claude/agents',
      '.claude/skills',
      '.claude/plugins',
      '.claude/output-styles',
      '.claude/rules',
    ],
  },
  screens,
};
