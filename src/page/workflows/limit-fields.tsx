import { More } from '#page/parts/more.tsx';
import { type PartProps, TextInput } from './fields.tsx';

/** What each of its agents may use at most, isolated or not. */
export function LimitFields(props: PartProps) {
  const { draft, wrong } = props;
  const fields = ['memoryMib', 'maxProcesses', 'diskMib', 'cpuPercent'] as const;
  const wanted = fields.some((field) => draft[field] !== '' || wrong(field) !== undefined);
  return (
    <More title="Limits" wanted={wanted}>
      <div className="pair">
        <TextInput {...props} field="memoryMib" label="Memory, MiB" placeholder="no limit" />
        <TextInput {...props} field="maxProcesses" label="Processes" placeholder="no limit" hint="with threads" />
      </div>
      <div className="pair">
        <TextInput
          {...props}
          field="diskMib"
          label="Disk, MiB"
          placeholder="no limit"
          hint="worktree and private files"
        />
        <TextInput {...props} field="cpuPercent" label="Processor, %" placeholder="no limit" hint="100 is one" />
      </div>
    </More>
  );
}
