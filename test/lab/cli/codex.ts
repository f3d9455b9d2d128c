import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dummyKey, type LabCli } from './definition.ts';
import { writeSettings } from './settings-file.ts';

/** Codex, with the stub as a model provider of its own. */
export const codex: LabCli = {
  harness: 'codex',
  flags: '',
  says: { working: 'working', asking: 'asks permission: Bash', done: 'done' },
  setUp({ home, modelUrl, ownHook }) {
    writeSettings(
      join(home, '.codex/config.toml'),
      `model = "gpt-5.4"
model_provider = "stub"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
notify = ["/bin/sh", "-c", ${JSON.stringify(ownHook)}]

[analytics]
enabled = false

[feedback]
enabled = false

[model_providers.stub]
name = "Stub model"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "STUB_API_KEY"
request_max_retries = 1
stream_max_retries = 1
`,
    );
    writeSettings(join(home, '.codex/auth.json'), { OPENAI_API_KEY: dummyKey });
    return { CODEX_HOME: join(home, '.codex'), STUB_API_KEY: dummyKey, MUSTER_AGENT_ENV: 'STUB_API_KEY' };
  },
  trust(home, folder) {
    const file = join(home, '.codex/config.toml');
    const head = `[projects."${folder}"]`;
    // Codex trusts all of a repository if a person has trusted one worktree of it, and refuses a section that stands
    // twice.
    if (!readFileSync(file, 'utf8').includes(head)) appendFileSync(file, `\n${head}\ntrust_level = "trusted"\n`);
  },
  login: { file: '.codex/auth.json', renew: 'echo sk-renewed | codex login --with-api-key', key: 'sk-renewed' },
  trusting: [
    { on: /› 1\. (?:Trust and|Yes,) continue/, key: 'Enter' },
    // An older version offers another model first.
    { on: /› 1\. Try new model/, key: 'Down' },
    { on: /› 2\. Use existing model/, key: 'Enter' },
  ],
  allowing: [{ on: /› 1\. Yes, proceed/, key: 'Enter' }],
  // While it writes, nothing on its screen says that it works.
  interrupting: [{ on: /^(?![\s\S]*interrupted)/, key: 'Escape' }],
};
