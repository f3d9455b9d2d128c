import { join } from 'node:path';
import { dummyKey, type LabCli } from './definition.ts';
import { readSettings, writeSettings } from './settings-file.ts';

/** Gemini CLI, signed in by a key. */
export const gemini: LabCli = {
  harness: 'gemini',
  flags: '',
  says: { working: 'working', asking: 'action required', done: 'ready' },
  setUp({ home, modelUrl, ownHook }) {
    writeSettings(join(home, '.gemini/settings.json'), {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      hooks: { AfterAgent: [{ hooks: [{ type: 'command', name: 'own', command: ownHook }] }] },
      model: { name: 'gemini-2.5-flash' },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
    });
    return { GEMINI_API_KEY: dummyKey, GOOGLE_GEMINI_BASE_URL: modelUrl };
  },
  trust(home, folder) {
    const file = join(home, '.gemini/trustedFolders.json');
    writeSettings(file, { ...readSettings(file), [folder]: 'TRUST_FOLDER' });
  },
  // The question stays on the screen once it is answered: Gemini begins again below it.
  trusting: [{ on: /● 1\. Trust folder(?![\s\S]*is restarting)/, key: 'Enter' }],
  allowing: [{ on: /● 1\. Allow once/, key: 'Enter' }],
  interrupting: [{ on: /esc to cancel/, key: 'Escape' }],
};
