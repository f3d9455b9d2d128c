import { limitNames, limitText } from '#contract/host/limits.ts';
import { AgentRole } from '#page/client/agent/v1/agent_pb.js';
import { Isolation } from '#page/client/shared/v1/shared_pb.js';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';
import { roleWords } from '#page/dialog/role-field.tsx';
import { useProfiles } from '#page/fleet/use-profiles.ts';
import { Fact } from '#page/panel/side-panel.tsx';
import { When } from '#page/parts/when.tsx';
import { draftOf } from './draft.ts';
import {
  bootWords,
  isolationWords,
  limitWords,
  matterWords,
  networkWords,
  noticeWords,
  wordsOf,
  worktreeWords,
} from './words.ts';

/** The settings of a workflow, except its scripts. */
export function WorkflowFacts({ workflow }: { readonly workflow: Workflow }) {
  const { agentsMayLaunch: may, notify, flags, grants } = workflow;
  const { worktrees } = draftOf(workflow);
  const { data: profiles } = useProfiles();
  const profile = profiles?.find(({ id }) => id === workflow.profileId);
  return (
    <dl className="facts">
      <Fact name="Directory">
        <code>{workflow.cwd}</code>
      </Fact>
      <Fact name="Harness">{workflow.harness || 'the first CLI found on the host'}</Fact>
      <Fact name="Flags">{flags !== '' && <code>{flags}</code>}</Fact>
      <Fact name="Agents work">{wordsOf(worktreeWords, [worktrees])}</Fact>
      <Fact name="Base branch">{workflow.baseBranch && <code>{workflow.baseBranch}</code>}</Fact>
      <Fact name="Role">{workflow.role !== AgentRole.UNSPECIFIED && wordsOf(roleWords, [workflow.role])}</Fact>
      <Fact name="Host">{workflow.host}</Fact>
      <Fact name="Host labels">{workflow.hostSelector.join(' ')}</Fact>
      <Fact name="Isolation">
        {workflow.isolation > Isolation.NONE && wordsOf(isolationWords, [workflow.isolation])}
      </Fact>
      <Fact name="Image">{grants?.image && <code>{grants.image}</code>}</Fact>
      <Fact name="Network reaches">{grants && wordsOf(networkWords, [grants.network])}</Fact>
      <Fact name="Allowed hosts">{grants?.hosts.join(', ')}</Fact>
      <Fact name="Ports of their host">{grants?.loopbackPorts.join(', ')}</Fact>
      <Fact name="May read">{grants?.readable.join(', ')}</Fact>
      <Fact name="May change">{grants?.writable.join(', ')}</Fact>
      <Fact name="May use">{limitsText(workflow)}</Fact>
      <Fact name="Copied files">{workflow.copyFiles.join(', ')}</Fact>
      <Fact name="Build folders">{workflow.archivePolicy?.buildFolders.join(', ')}</Fact>
      <Fact name="Deleted from the archive">{archiveText(workflow)}</Fact>
      <Fact name="Profile">{profile?.name ?? workflow.profileId}</Fact>
      <Fact name="After a restart">{wordsOf(bootWords, [draftOf(workflow).onBoot])}</Fact>
      <Fact name="At a usage limit">{wordsOf(limitWords, [draftOf(workflow).onUsageLimit])}</Fact>
      <Fact name="Variables">{workflow.environment.join(', ')}</Fact>
      <Fact name="Tools without approval">{workflow.preApprovedTools.join(', ')}</Fact>
      <Fact name="Agents may launch">{may?.harnesses.join(', ')}</Fact>
      <Fact name="on hosts">{may?.hosts.join(', ')}</Fact>
      <Fact name="with flags">{may?.flags.map((one) => one || '(none)').join(' | ')}</Fact>
      <Fact name="in directories">{may?.directories.join(', ')}</Fact>
      <Fact name="into workflows">{may?.workflowIds.join(', ')}</Fact>
      <Fact name="Mailed to its agents">{wordsOf(matterWords, workflow.mailOnPullRequest)}</Fact>
      <Fact name="Webhook">{notify?.webhook}</Fact>
      <Fact name="Command">{notify?.command && <code>{notify.command}</code>}</Fact>
      <Fact name="Notified when an agent">{notify && wordsOf(noticeWords, notify.on)}</Fact>
      <Fact name="Updated">
        <When at={workflow.updatedAt} />
      </Fact>
      <Fact name="Created">
        <When at={workflow.createdAt} />
      </Fact>
      <Fact name="Id">
        <code>{workflow.id}</code>
      </Fact>
    </dl>
  );
}

/** What each of its agents may use at most. */
function limitsText({ grants }: Workflow): string {
  return limitNames.flatMap((name) => (grants?.[name] ? [limitText(name, grants[name])] : [])).join(', ');
}

/** What is deleted of its archived agents, and after how many days. */
function archiveText({ archivePolicy }: Workflow): string {
  const { buildFoldersAfterDays = 0, worktreesAfterDays = 0 } = archivePolicy ?? {};
  return [
    ...(buildFoldersAfterDays > 0 ? [`build folders after ${buildFoldersAfterDays} days`] : []),
    ...(worktreesAfterDays > 0 ? [`saved worktrees after ${worktreesAfterDays} days`] : []),
  ].join(', ');
}
