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
  screens,
};
