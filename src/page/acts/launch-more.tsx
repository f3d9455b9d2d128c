import { Field } from '#page/dialog/field.tsx';
import { useFleet } from '#page/fleet/fleet.ts';
import { useHosts } from '#page/fleet/use-hosts.ts';
import { More } from '#page/parts/more.tsx';
import { type LaunchDraft, mayHaveChildren, type Worktree } from './launch.ts';

const worktreeWords: readonly (readonly [worktree: Worktree, word: string])[] = [
  ['', 'as the workflow has it'],
  ['yes', 'in a worktree of its own'],
  ['no', 'in the directory itself'],
];
const fields = ['harness', 'flags', 'worktree', 'dir', 'host', 'parentAgentId'] as const;

interface MoreProps {
  readonly draft: LaunchDraft;
  readonly set: (changed: Partial<LaunchDraft>) => void;
  readonly wrong: (field: keyof LaunchDraft) => string | undefined;
}

/** What of a launch is usually left to the workflow: which CLI, where, and whose child. */
export function LaunchMore({ draft, set, wrong }: MoreProps) {
  const { rows } = useFleet();
  const { data: known } = useHosts();
  const hosts = known?.hosts ?? [];
  const harnesses = [...new Set(hosts.flatMap(({ harnesses: own }) => own))].sort();
  const parents = [...rows.values()].flatMap(({ agent }) => (agent && mayHaveChildren(agent) ? agent : []));
  parents.sort((one, other) => one.name.localeCompare(other.name));
  const isChild = draft.parentAgentId !== '';
  const adopt = (parentAgentId: string): void => {
    const workflowId = rows.get(parentAgentId)?.agent?.workflowId ?? draft.workflowId;
    set({ parentAgentId, workflowId });
  };
  const wanted = fields.some((field) => draft[field] !== '' || wrong(field) !== undefined);
  return (
    <More title="Harness, directory, host, parent" wanted={wanted}>
      <div className="pair">
        <Field label="Harness" hint="the CLI that it runs" wrong={wrong('harness')}>
          <select value={draft.harness} onChange={({ target }) => set({ harness: target.value })}>
            <option value="">as the workflow has it</option>
            {harnesses.map((harness) => (
              <option key={harness} value={harness}>
                {harness}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Flags" hint="for its CLI, in place of the workflow’s" wrong={wrong('flags')}>
          <input
            className="code"
            value={draft.flags}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => set({ flags: target.value })}
          />
        </Field>
      </div>
      <Field
        label="Parent"
        hint="a child works in its parent’s directory, in its workflow, and goes when it goes"
        wrong={wrong('parentAgentId')}
      >
        <select value={draft.parentAgentId} onChange={({ target }) => adopt(target.value)}>
          <option value="">none: it stands by itself</option>
          {parents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <div className="pair">
        <Field label="It works" wrong={wrong('worktree')}>
          <select
            value={isChild ? '' : draft.worktree}
            disabled={isChild}
            onChange={({ target }) => set({ worktree: target.value as Worktree })}
          >
            {worktreeWords.map(([worktree, word]) => (
              <option key={worktree} value={worktree}>
                {word}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Host" wrong={wrong('host')}>
          <select
            value={isChild ? '' : draft.host}
            disabled={isChild}
            onChange={({ target }) => set({ host: target.value })}
          >
            <option value="">as the workflow has it</option>
            {hosts.map(({ id, name }) => (
              <option key={id} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Field label="Directory" hint="empty is the workflow’s" wrong={wrong('dir')}>
        <input
          className="code"
          value={isChild ? '' : draft.dir}
          disabled={isChild}
          placeholder="~/src/project"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => set({ dir: target.value })}
        />
      </Field>
    </More>
  );
}
