import { More } from '#page/parts/more.tsx';
import { Checks, type PartProps, TextInput } from './fields.tsx';
import { matterWords, noticeWords } from './words.ts';

/** The scripts, and the files and variables that they and the agents get. */
export function ScriptFields(props: PartProps) {
  const { draft, wrong } = props;
  const fields = ['setup', 'teardown', 'onIdle', 'onWaiting', 'copyFiles', 'environment'] as const;
  const wanted = fields.some((field) => draft[field] !== '' || wrong(field) !== undefined);
  return (
    <More title="Scripts, files, variables" wanted={wanted}>
      <TextInput
        {...props}
        field="setup"
        label="Setup"
        rows={4}
        hint="runs in each new worktree before the CLI starts"
      />
      <TextInput {...props} field="teardown" label="Teardown" rows={2} hint="runs before a worktree is removed" />
      <div className="pair">
        <TextInput {...props} field="onIdle" label="On idle" rows={2} hint="runs whenever an agent becomes idle" />
        <TextInput
          {...props}
          field="onWaiting"
          label="On waiting"
          rows={2}
          hint="runs whenever an agent waits for you"
        />
      </div>
      <div className="pair">
        <TextInput
          {...props}
          field="copyFiles"
          label="Files to copy"
          rows={2}
          placeholder=".env"
          hint="globs of the repository, one per line"
        />
        <TextInput
          {...props}
          field="environment"
          label="Variables"
          rows={2}
          placeholder="NAME or NAME=value"
          hint="a name alone passes on the host’s value; one per line"
        />
      </div>
    </More>
  );
}

/** What is deleted of its archived agents. */
export function ArchiveFields(props: PartProps) {
  const { draft, wrong } = props;
  const fields = ['buildFolders', 'buildFoldersAfterDays', 'worktreesAfterDays'] as const;
  const wanted = fields.some((field) => draft[field] !== '' || wrong(field) !== undefined);
  return (
    <More title="Disk of archived agents" wanted={wanted}>
      <TextInput
        {...props}
        field="buildFolders"
        label="Build folders"
        rows={2}
        placeholder="node_modules"
        hint="names, or paths in the worktree, of folders that tools make again and Git ignores; one per line"
      />
      <div className="pair">
        <TextInput
          {...props}
          field="buildFoldersAfterDays"
          label="Delete them after days"
          hint="in the archive; empty: only when you clean it"
        />
        <TextInput
          {...props}
          field="worktreesAfterDays"
          label="Remove worktrees after days"
          hint="whose work is pushed or merged; empty: only when you clean it"
        />
      </div>
    </More>
  );
}

/** The rights of its agents. */
export function RightFields(props: PartProps) {
  const { draft, set, wrong } = props;
  const lists = ['preApprovedTools', 'harnesses', 'hosts', 'flagSets', 'directories', 'workflowIds'] as const;
  const wanted = lists.some((field) => draft[field] !== '' || wrong(field) !== undefined);
  return (
    <More title="What its agents may launch and call" wanted={wanted}>
      <TextInput
        {...props}
        field="preApprovedTools"
        label="Tools called without asking you"
        rows={2}
        placeholder="create_agent"
        hint="one per line"
      />
      <div className="pair">
        <TextInput {...props} field="harnesses" label="Further harnesses" rows={2} hint="one per line" />
        <TextInput {...props} field="hosts" label="Further hosts" rows={2} hint="names or ids, one per line" />
      </div>
      <div className="pair">
        <TextInput {...props} field="flagSets" label="Further flags" rows={2} hint="one launch’s flags per line" />
        <TextInput {...props} field="workflowIds" label="Further workflows" rows={2} hint="ids, one per line" />
      </div>
      <TextInput
        {...props}
        field="directories"
        label="Further directories"
        rows={2}
        hint="absolute or ~/, one per line"
      />
      <Checks
        legend="Mail an agent about its own pull request"
        words={matterWords}
        chosen={draft.mailOnPullRequest}
        choose={(mailOnPullRequest) => set({ mailOnPullRequest })}
      />
    </More>
  );
}

/** Whom events of its agents notify, in addition to the person's own setting. */
export function NotifyFields(props: PartProps) {
  const { draft, set, wrong } = props;
  const wanted = [draft.webhook, draft.command, wrong('webhook'), wrong('command')].some(Boolean);
  return (
    <More title="Its own notifications" wanted={wanted}>
      <TextInput
        {...props}
        field="webhook"
        label="Webhook"
        placeholder="https://"
        hint="gets a POST with a JSON object"
      />
      <TextInput {...props} field="command" label="Command" hint="runs in a shell on muster’s machine" />
      <Checks
        legend="When an agent (none: at any of these)"
        words={noticeWords}
        chosen={draft.on}
        choose={(on) => set({ on })}
      />
    </More>
  );
}
