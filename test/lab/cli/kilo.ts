import { join } from 'node:path';
import type { CliSetUp } from './definition.ts';
import { offlineSettings } from './opencode.ts';
import { writeSettings } from './settings-file.ts';

/** Kilo, a fork of opencode that is configured like it. */
export const kilo: CliSetUp = {
  harness: 'kilo',
  setUp({ home, modelUrl }) {
    writeSettings(join(home, '.config/kilo/kilo.json'), offlineSettings(modelUrl));
    return {
      KILO_DISABLE_AUTOUPDATE: '1',
      KILO_DISABLE_MODELS_FETCH: '1',
      KILO_DISABLE_LSP_DOWNLOAD: '1',
      KILO_DISABLE_SHARE: '1',
    };
  },
  trusting: [],
};
