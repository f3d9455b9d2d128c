import { codex as screens } from '#machines/pane/harness/codex.ts';
import type { Harness } from './definition.ts';

/** Codex. Without `--no-daemon` its turns would run in a process outside the pane. */
export const codex: Harness = {
  name: 'codex',
  codingAgent: true,
  command: 'codex',
  versionArgs: ['--version'],
  recordedWith: '0.171.0',
  start: ['--no-daemon'],
  resume: ['resume', '{sessionId}', '--no-daemon'],
  resumeLatest: ['resume', '--last', '--no-daemon'],
  conversation: {
    variable: 'CODEX_HOME',
    folder: '.codex',
    files: ['sessions/*/*/*/rollout-*-{sessionId}.jsonl'],
    cwdField: 'cwd',
  },
  mayLack: ['--no-daemon'],
  env: {},
  commandPrefixes: ['!', '/', '$'],
  variables: ['OPENAI_*', 'CODEX_*'],
  takesPromptsAtWork: true,
  reports: {
    through: 'config',
    sessionField: 'session_id',
    words: {
      SessionStart: 'session {source}',
      UserPromptSubmit: 'working',
      PermissionRequest: 'asks permission: {tool_name}',
      Interrupt: 'interrupted',
      Stop: 'done: {last_assistant_message}',
    },
  },
  tools: { through: 'config' },
  isolated: {
    folder: { path: '.codex', variable: 'CODEX_HOME' },
    hosts: ['api.openai.com', 'auth.openai.com', 'chatgpt.com'],
    shared: ['.codex/auth.json'],
    copied: ['.codex/config.toml'],
    readable: ['.codex/AGENTS.md', '.codex/prompts', '.codex/rules', '.codex/skills'],
  },
  screens,
};
