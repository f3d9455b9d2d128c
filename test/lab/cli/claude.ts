import { join } from 'node:path';
import { dummyKey, type LabCli } from './definition.ts';
import { newestPin } from './pins.ts';
import { readSettings, writeSettings } from './settings-file.ts';

/** Claude Code, past its first-run pages and with its key approved. */
export const claude: LabCli = {
  harness: 'claude',
  // Otherwise it decides on its own which command is harmless.
  flags: '--permission-mode manual',
  says: { working: 'working', asking: 'asks permission: Bash', done: 'done' },
  setUp({ home, modelUrl, ownHook }) {
    const hook = { type: 'command', command: ownHook };
    writeSettings(join(home, '.claude/settings.json'), { hooks: { Stop: [{ hooks: [hook] }] } });
    writeSettings(join(home, '.claude.json'), {
      hasCompletedOnboarding: true,
      lastOnboardingVersion: newestPin('claude').version,
      theme: 'dark',
      customApiKeyResponses: { approved: [dummyKey.slice(-20)], rejected: [] },
      autoUpdates: false,
      projects: {},
    });
    return {
      ANTHROPIC_API_KEY: dummyKey,
      ANTHROPIC_BASE_URL: modelUrl,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    };
  },
  trust(home, folder) {
    const file = join(home, '.claude.json');
    const settings = readSettings(file);
    const projects = { ...(settings['projects'] as object), [folder]: { hasTrustDialogAccepted: true } };
    writeSettings(file, { ...settings, projects });
  },
  // The choice that is marked first is to leave.
  trusting: [
    { on: /❯ No, exit/, key: 'Down' },
    { on: /❯ Yes, I trust/, key: 'Enter' },
  ],
  distrusting: [{ on: /❯ No, exit/, key: 'Enter' }],
  allowing: [{ on: /❯ 1\. Yes/, key: 'Enter' }],
  interrupting: [{ on: /esc to interrupt/, key: 'Escape' }],
  sends: (text) => text.replaceAll('\t', '    '),
  unwrap: (sent) =>
    /^\s*<pasted_content id="(\w+)">\n([\s\S]*)\n<\/pasted_content id="\1">\s*$/.exec(sent)?.[2] ?? sent,
};
