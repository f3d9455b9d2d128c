import { join } from 'node:path';
import { type CliSetUp, dummyKey } from './definition.ts';
import { writeSettings } from './settings-file.ts';

/** pi, with the stub as a provider of its own. */
export const pi: CliSetUp = {
  harness: 'pi',
  setUp({ home, modelUrl }) {
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const size = { contextWindow: 200_000, maxTokens: 8_192 };
    const model = { id: 'stub-model', name: 'Stub model', reasoning: true, input: ['text'], cost, ...size };
    const stub = { baseUrl: `${modelUrl}/v1`, api: 'openai-completions', apiKey: dummyKey, models: [model] };
    writeSettings(join(home, '.pi/agent/models.json'), { providers: { stub } });
    writeSettings(join(home, '.pi/agent/settings.json'), { defaultProvider: 'stub', defaultModel: 'stub-model' });
    return { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' };
  },
  trusting: [],
};
