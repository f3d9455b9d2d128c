import { qwen as screens } from '#machines/pane/harness/qwen.ts';
import type { Harness } from './definition.ts';

/** Qwen Code. */
export const qwen: Harness = {
  name: 'qwen',
  codingAgent: true,
  command: 'qwen',
  versionArgs: ['--version'],
  recordedWith: '0.24.4',
  start: ['--session-id', '{sessionId}'],
  resume: ['--resume', '{sessionId}'],
  env: {},
  commandPrefixes: ['!', '/'],
  variables: ['QWEN_*', 'DASHSCOPE_API_KEY', 'OPENAI_*'],
  takesPromptsAtWork: true,
  tools: { through: 'flag', flag: '--mcp-config', entry: { alwaysLoadTools: true }, allowing: 'trust' },
  isolated: {
    folder: { path: '.qwen', variable: 'QWEN_HOME' },
    hosts: [
      'dashscope.aliyuncs.com',
      'dashscope-intl.aliyuncs.com',
      'chat.qwen.ai',
      'portal.qwen.ai',
      'api.openai.com',
    ],
    shared: ['.qwen/oauth_creds.json'],
    copied: ['.qwen/settings.json', '.qwen/trustedFolders.json', '.qwen/installation_id', '.qwen/.env'],
    readable: ['.qwen/QWEN.md', '.qwen/commands', '.qwen/extensions', '.qwen/agents', '.qwen/skills'],
  },
  screens,
};
