import { join } from 'node:path';
import { dummyKey, type LabCli } from './definition.ts';
import { readSettings, writeSettings } from './settings-file.ts';

/** GitHub Copilot CLI, offline, with the stub as a provider of a person's own. */
export const copilot: LabCli = {
  harness: 'copilot',
  flags: '',
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
  trust(home, folder) {
    const file = join(home, '.copilot/config.json');
    writeSettings(file, { ...readSettings(file), trusted_folders: [folder], trustedFolders: [folder] });
  },
  // The first choice counts for this session alone.
  trusting: [
    { on: /❯ 1\. Yes/, key: 'Down' },
    { on: /❯ 2\. Yes, and remember/, key: 'Enter' },
  ],
  allowing: [{ on: /❯ 1\. Yes/, key: 'Enter' }],
  interrupting: [{ on: /\besc\b.*interrupt/, key: 'Escape', againMs: 250 }],
  sends: (text) => text.replaceAll('\t', '    '),
  unwrap: (sent) => sent.replace(/^<current_datetime>[^<]*<\/current_datetime>\s*/, ''),
};
