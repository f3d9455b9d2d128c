import { join } from 'node:path';
import { type CliSetUp, dummyKey } from './definition.ts';
import { writeSettings } from './settings-file.ts';

/** Qwen Code, with the stub as an OpenAI-compatible model. */
export const qwen: CliSetUp = {
  harness: 'qwen',
  setUp({ home, modelUrl }) {
    writeSettings(join(home, '.qwen/settings.json'), {
      general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      // Its agents of its own would repeat to the model what a person said, and be taken for turns.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: true } },
    });
    return { OPENAI_API_KEY: dummyKey, OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: 'stub-model' };
  },
  trusting: [{ on: /[●›] 1\. Trust folder(?![\s\S]*is restarting)/, key: 'Enter' }],
};
