import { findProfile } from '#actors/registry/profile/profile-resource.ts';
import type { LaunchRights } from '#actors/registry/rights/rights.ts';
import { Failure } from '#contract/failure.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import { quoted } from '#contract/quoted.ts';
import type { Launch } from '#contract/wire/agent-record.ts';
import type { Tables } from '#store/tables.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';

/** The profile of a launch. */
export type LaunchProfile = Pick<Launch, 'profileId' | 'workflowProfile'>;

/**
 * The profile of a launch: for people the requested one, or else the workflow's. An agent passes on its own, and no other.
 * @throws NOT_FOUND when there is no such profile; PERMISSION_DENIED when an agent names another than its own
 */
export async function launchProfile(
  tables: Pick<Tables, 'profiles'>,
  { profileId: wanted }: Pick<CreateAgentRequest, 'profileId'>,
  workflow: Pick<StoredWorkflow, 'profileId'>,
  rights: LaunchRights | undefined,
): Promise<LaunchProfile> {
  if (rights !== undefined) return passedOn(rights, wanted);
  if (!wanted) return profileOfWorkflow(workflow);
  return { profileId: (await findProfile(tables, wanted)).id };
}

/** The profile that an agent gets from its workflow. */
export function profileOfWorkflow({ profileId }: Pick<StoredWorkflow, 'profileId'>): LaunchProfile {
  return profileId == null ? {} : { profileId, workflowProfile: true };
}

function passedOn({ agent }: LaunchRights, wanted: string | undefined): LaunchProfile {
  const { profileId } = agent.launch;
  if (wanted && wanted !== profileId) {
    throw new Failure(
      'BEYOND_OWN_RIGHTS',
      `profileId is ${quoted(wanted)}, and you have ${profileId === undefined ? 'no profile' : 'another one'}: an agent passes on ` +
        'the profile that it has, so leave it out, or ask the person to launch that agent',
      { field: 'profileId' },
    );
  }
  return profileId === undefined ? {} : { profileId };
}
