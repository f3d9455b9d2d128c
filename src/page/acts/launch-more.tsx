import { Field } from '#page/dialog/field.tsx';
import { useFleet } from '#page/fleet/fleet.ts';
import { useHosts } from '#page/fleet/use-hosts.ts';
import { More } from '#page/parts/more.tsx';
import { type LaunchFieldProps, mayHaveChanges, mayHaveChildren } from './launch.ts';
import { LaunchPlace } from './launch-place.tsx';

const fields = ['harness', 'flags', 'worktree', 'dir', 'host', 'hostSelector', 'parentAgentId'] as const;

/** Settings of a launch that are usually left to the workflow: the CLI, the place and the parent. */
export function LaunchMore({ draft, set, wrong }: LaunchFieldProps) {
  const { rows } = useFleet();
  const { data: known } = useHosts();
  const hosts = known?.hosts ?? [];
  const harnesses = [...new Set(hosts.flatMap(({ harnesses: own }) => own))].sort();
  const parents = [...rows.values()].flatMap(({ agent }) => (agent && mayHaveChildren(agent) ? agent : []));
  parents.sort((one, other) => one.name.localeCompare(other.name));
  const adopt = (parentAgentId: string): void => {
    const workflowId = rows.get(parentAgentId)?.agent?.workflowId ?? draft.workflowId;
    set({ parentAgentId, workflowId });
  };
  const isChecked = draft.isWithoutFlags || draft.withChanges;
  const wanted = isChecked || fields.some((field) => draft[field] !== '' || wrong(field) !== undefined);
  return (
    <More title="Harness, directory, host, parent" wanted={wanted}>
      <LaunchHarness draft={draft} set={set} wrong={wrong} harnesses={harnesses} />
      <Field
        label="Parent"
        hint="a child shares its parent’s directory and workflow, and is deleted with it"
        wrong={wrong('parentAgentId')}
      >
        <select value={draft.parentAgentId} onChange={({ target }) => adopt(target.value)}>
          <option value="">none</option>
          {parents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <LaunchPlace draft={draft} set={set} wrong={wrong} hosts={hosts} />
      <label className="check">
        <input
          type="checkbox"
          checked={draft.withChanges && mayHaveChanges(draft)}
          disabled={!mayHaveChanges(draft)}
          onChange={({ target }) => set({ withChanges: target.checked })}
        />
        with the changes, the untracked and ignored files and the submodules of the directory
      </label>
    </More>
  );
}

/** The CLI and its flags. */
function LaunchHarness({ draft, set, wrong, harnesses }: LaunchFieldProps & { readonly harnesses: readonly string[] }) {
  return (
    <>
      <div className="pair">
        <Field label="Harness" hint="the CLI to run" wrong={wrong('harness')}>
          <select value={draft.harness} onChange={({ target }) => set({ harness: target.value })}>
            <option value="">from the workflow</option>
            {harnesses.map((harness) => (
              <option key={harness} value={harness}>
                {harness}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Flags" hint="for its CLI; replaces the workflow’s" wrong={wrong('flags')}>
          <input
            className="code"
            value={draft.isWithoutFlags ? '' : draft.flags}
            disabled={draft.isWithoutFlags}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => set({ flags: target.value })}
          />
        </Field>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.isWithoutFlags}
          onChange={({ target }) => set({ isWithoutFlags: target.checked })}
        />
        without any flags, not even the workflow’s
      </label>
    </>
  );
}
