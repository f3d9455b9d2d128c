import { join } from 'node:path';
import { dummyKey, type LabCli } from './definition.ts';
import { writeSettings } from './settings-file.ts';

/** Settings of opencode and its forks, with the stub as the only provider. */
export function offlineSettings(modelUrl: string): object {
  const limit = { context: 200_000, output: 8_192 };
  return {
    autoupdate: false,
    share: 'disabled',
    model: 'stub/stub-model',
    small_model: 'stub/stub-model',
    permission: { bash: 'ask' },
    provider: {
      stub: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Stub',
        options: { baseURL: `${modelUrl}/v1`, apiKey: dummyKey },
        models: { 'stub-model': { name: 'Stub model', tool_call: true, reasoning: true, limit } },
      },
    },
  };
}

/** opencode, with the stub as a provider of its configuration. It asks before it runs a command, and for no trust. */
export const opencode: LabCli = {
  harness: 'opencode',
  flags: '',
  says: { working: 'working', asking: 'asks permission: bash', done: 'done' },
  setUp({ home, modelUrl, ownHook }) {
    writeSettings(
      join(home, '.config/opencode/plugin/own.js'),
      `export const Own = async ({ $ }) => ({
  event: async ({ event }) => {
    if (event.type === 'session.idle') await $\`sh -c ${'${'}${JSON.stringify(ownHook)}}\`;
  },
});
`,
    );
    writeSettings(join(home, '.config/opencode/opencode.json'), offlineSettings(modelUrl));
    return {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_SHARE: '1',
    };
  },
  trusting: [],
  allowing: [{ on: /Allow once/, key: 'Enter' }],
  // The first one only asks whether it is meant.
  interrupting: [
    { on: /esc again to interrupt/, key: 'Escape' },
    { on: /esc interrupt/, key: 'Escape' },
  ],
  // A paste is its own word: a blank follows it.
  unwrap: (sent) => sent.replace(/ $/, ''),
};
