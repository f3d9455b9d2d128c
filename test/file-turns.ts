/**
 * Costly files, each in a group with others of the same part of muster. What shows that nothing is lost, or that both
 * databases do the same, is in no group and always runs.
 */
const groups: Readonly<Record<string, readonly string[]>> = {
  'muster as it is installed and deployed': [
    'test/package/package.test.ts',
    'test/deploy/processes.test.ts',
    'test/cli/real-service.test.ts',
  ],
  'what a newcomer does': [
    'test/docs/readme.test.ts',
    'test/docs/examples.test.ts',
    'test/cli/learn/harness-add.test.ts',
  ],
  'a second machine': ['test/service/join/network.test.ts', 'test/service/join/join.test.ts', 'test/move/move.test.ts'],
  'a service that starts': [
    'test/service/start/start.test.ts',
    'test/service/start/children.test.ts',
    'test/service/start/setup.test.ts',
  ],
  'how a service is run': [
    'test/service/start/npm-start.test.ts',
    'test/service/start/first-start.test.ts',
    'test/service/unit/service-command.test.ts',
  ],
  'the state folder': [
    'test/service/doctor/doctor.test.ts',
    'test/service/backup/full-disk.test.ts',
    'test/service/state/restored-folder.test.ts',
  ],
  'walls around agents and secrets': [
    'test/attacks/isolation/sandbox.test.ts',
    'test/attacks/access/secrets.test.ts',
    'test/attacks/access/profile-secrets.test.ts',
  ],
  'hostile pages, files and hosts': [
    'test/attacks/page/session.test.ts',
    'test/attacks/host/rules.test.ts',
    'test/attacks/host/lent-credential.test.ts',
  ],
  terminals: [
    'test/world/tmux/conformance.test.ts',
    'test/world/tmux/owners.test.ts',
    'test/world/tmux/servers.test.ts',
  ],
  'agents that end': [
    'test/actors/agent/death.test.ts',
    'test/actors/isolation/isolated-clis.test.ts',
    'test/actors/effects/carried-agent.test.ts',
  ],
  'generated clients': [
    'test/clients/python.test.ts',
    'test/gateway/rpc/clients.test.ts',
    'test/gateway/rpc/curl.test.ts',
  ],
  'the project’s own tools': ['test/run.test.ts', 'test/check.test.ts', 'test/gateway/proto/contract-image.test.ts'],
};

/** The files that run in part of the runs. */
export const filesInTurn: ReadonlySet<string> = new Set(Object.values(groups).flat());

/** Of files those that a turn takes: of each group one, so that after as many turns as it has files each has run. */
export function filesOfTurn(files: readonly string[], turn: number): string[] {
  const taken = new Set(Object.values(groups).map((group, place) => group[(turn + place) % group.length]));
  return files.filter((file) => taken.has(file) || !filesInTurn.has(file));
}
