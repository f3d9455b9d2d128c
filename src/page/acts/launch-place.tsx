import { type Host, HostState } from '#page/client/host/v1/host_pb.js';
import { Field } from '#page/dialog/field.tsx';
import { DirectoryField } from './directory-field.tsx';
import type { LaunchDraft, LaunchFieldProps, Worktree } from './launch.ts';

const worktreeWords: readonly (readonly [worktree: Worktree, word: string])[] = [
  ['', 'as in the workflow'],
  ['yes', 'in its own worktree'],
  ['no', 'in the directory itself'],
];

/** Where an agent works: the host, the directory, and whether in its own worktree. A child has its parent's place. */
export function LaunchPlace({ draft, set, wrong, hosts }: LaunchFieldProps & { readonly hosts: readonly Host[] }) {
  const isChild = draft.parentAgentId !== '';
  return (
    <>
      <div className="pair">
        <Field label="Works" wrong={wrong('worktree')}>
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
            <option value="">from the workflow</option>
            {hosts.map(({ id, name }) => (
              <option key={id} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Field
        label="Host labels"
        hint="such as gpu=yes zone=home; it waits until a host has them. Empty: the workflow’s"
        wrong={wrong('hostSelector')}
      >
        <input
          value={isChild ? '' : draft.hostSelector}
          disabled={isChild}
          onChange={({ target }) => set({ hostSelector: target.value })}
        />
      </Field>
      <Field label="Directory" hint="empty: the workflow’s" wrong={wrong('dir')}>
        <DirectoryField
          value={isChild ? '' : draft.dir}
          hostId={hostOf(draft, hosts)?.id}
          disabled={isChild}
          placeholder="~/src/project"
          onPath={(dir) => set({ dir })}
        />
      </Field>
    </>
  );
}

/** The host on which an agent is placed, if one is chosen; else one that is online. */
function hostOf({ host }: LaunchDraft, hosts: readonly Host[]): Host | undefined {
  return hosts.find(({ name }) => name === host) ?? hosts.find(({ state }) => state === HostState.ONLINE);
}
