import { aConnection, confirmed } from './forge-requests.ts';
import type { Trial } from './trial.ts';

/** How the operations on stored pull requests are tried over every channel; part of `trials`. */
export const pullRequestTrials: Readonly<Record<string, Trial>> = {
  ListPullRequests: {
    request: (agentId) => ({ agentId, pagination: { pageSize: 2 } }),
    refused: { request: { agentId: 'agt_none', remoteUrl: 'git@forge.example:acme/app' }, code: 'not_found' },
  },
  SweepRepository: {
    // One that is not known yet, so that it is due at once over each channel.
    request: (agentId) => ({ remoteUrl: `git@github.com:owner/${agentId}.git` }),
    prepare: async (fixture, agentId) => {
      await aConnection(fixture, 'github.com');
      await confirmed(fixture, `git@github.com:owner/${agentId}.git`);
      return {};
    },
    refused: { request: { remoteUrl: 'https://nowhere.example/acme/app' }, code: 'failed_precondition' },
  },
};
