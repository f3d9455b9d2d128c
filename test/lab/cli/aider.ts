import { join } from 'node:path';
import { dummyKey, type LabCli } from './definition.ts';
import { writeSettings } from './settings-file.ts';

/** The stand-in for aider, with the stub as an OpenAI-compatible model. It asks before it runs a command. */
export const aider: LabCli = {
  harness: 'aider',
  flags: '',
  conversation: 'of the folder',
  setUp({ home, modelUrl }) {
    writeSettings(join(home, '.aider.conf.yml'), 'check-update: false\n');
    return { OPENAI_API_KEY: dummyKey, OPENAI_API_BASE: `${modelUrl}/v1`, AIDER_MODEL: 'stub-model' };
  },
  trusting: [],
  allowing: [{ on: /\[Yes\]:\s*$/, key: 'Enter' }],
  interrupting: [{ on: /word \d+[.\s]*$/, key: 'C-c' }],
};
