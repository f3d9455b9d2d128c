import { join } from 'node:path';
import { dummyKey, type LabCli } from './definition.ts';
import { readSettings, writeSettings } from './settings-file.ts';

/** Qwen Code, with the stub as an OpenAI-compatible model. */
export const qwen: LabCli = {
  harness: 'qwen',
  flags: '--approval-mode default',
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
  trust(home, folder) {
    const file = join(home, '.qwen/trustedFolders.json');
    writeSettings(file, { ...readSettings(file), [folder]: 'TRUST_FOLDER' });
  },
  trusting: [{ on: /[●›] 1\. Trust folder(?![\s\S]*is restarting)/, key: 'Enter' }],
  allowing: [{ on: /[●›] 1\. Yes, allow once/, key: 'Enter' }],
  interrupting: [{ on: /esc to cancel/, key: 'Escape' }],
  emptying: [{ on: /^> .*#write#/m, key: 'C-u' }],
};
