import { gemini as screens } from '#machines/pane/harness/gemini.ts';
import type { Harness } from './definition.ts';

/** Gemini CLI. */
export const gemini: Harness = {
  name: 'gemini',
  codingAgent: true,
  command: 'gemini',
  versionArgs: ['--version'],
  recordedWith: '0.61.0',
  start: ['--session-id', '{sessionId}'],
  resume: ['--resume', '{sessionId}'],
  env: {},
  commandPrefixes: ['!', '/'],
  variables: [
    'GEMINI_*',
    'GOOGLE_API_KEY',
    'GOOGLE_GEMINI_*',
    'GOOGLE_CLOUD_*',
    'GOOGLE_GENAI_*',
    'GOOGLE_APPLICATION_CREDENTIALS',
  ],
  takesPromptsAtWork: true,
  limitChoices: ['Keep trying', 'Stop\\b'],
  // It reads hooks outside the person's own files only if root owns every parent folder.
  reports: { through: 'title', words: { '◇': 'ready', '✦': 'working', '⏲': 'working', '✋': 'action required' } },
  // It reads servers outside the person's own files only if root owns every parent folder.
  tools: {
    through: 'file',
    variable: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
    unless: {
      variables: ['GEMINI_CLI_SYSTEM_SETTINGS_PATH'],
      files: ['/etc/gemini-cli/system-defaults.json', '/Library/Application Support/GeminiCli/system-defaults.json'],
    },
  },
  isolated: {
    // It is a home, in which the CLI makes its `.gemini`.
    folder: { path: '.', variable: 'GEMINI_CLI_HOME' },
    hosts: [
      'generativelanguage.googleapis.com',
      'cloudcode-pa.googleapis.com',
      'aiplatform.googleapis.com',
      'oauth2.googleapis.com',
      'accounts.google.com',
    ],
    shared: ['.gemini/oauth_creds.json', '.gemini/google_accounts.json'],
    copied: [
      '.gemini/settings.json',
      '.gemini/trustedFolders.json',
      '.gemini/installation_id',
      '.gemini/state.json',
      '.gemini/.env',
    ],
    readable: ['.gemini/GEMINI.md', '.gemini/commands', '.gemini/extensions', '.gemini/skills'],
  },
  screens,
};
