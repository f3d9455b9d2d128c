import { type CliSetUp, dummyKey } from './definition.ts';

/** Cline, signed in by a key through its own command: `signIn` runs before it starts. */
export const cline: CliSetUp = {
  harness: 'cline',
  setUp: () => ({ CLINE_TELEMETRY_DISABLED: '1', CLINE_NO_AUTO_UPDATE: '1' }),
  signIn: (modelUrl) => ['auth', '-p', 'openai', '-k', dummyKey, '-m', 'stub-model', '-b', `${modelUrl}/v1`],
  trusting: [],
};
