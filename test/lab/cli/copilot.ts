import { join } from 'node:path';
import { type CliSetUp, dummyKey } from './definition.ts';
import { writeSettings } from './settings-file.ts';

/** GitHub Copilot CLI, offline, with the stub as a provider of a person's own. */
export const copilot: CliSetUp = {
  harness: 'copilot',
  setUp({ home, modelUrl }) {
    writeSettings(join(home, '.copilot/config.json'), { banner: 'never' });
    return {
      COPILOT_HOME: join(home, '.copilot'),
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: dummyKey,
      COPILOT_MODEL: 'gpt-5.4',
    };
  },
  trusting: [{ on: /❯ 1\. Yes/, key: 'Enter' }],
};
