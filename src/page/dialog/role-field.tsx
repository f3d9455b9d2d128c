import { AgentRole } from '#page/client/agent/v1/agent_pb.js';
import { Field } from './field.tsx';

export const roleWords: readonly (readonly [role: AgentRole, word: string])[] = [
  [AgentRole.IMPLEMENTER, 'implementer'],
  [AgentRole.REVIEWER, 'reviewer'],
  [AgentRole.ORCHESTRATOR, 'orchestrator'],
];

interface RoleFieldProps {
  readonly role: AgentRole;
  /** The label for no choice. */
  readonly unset: string;
  readonly wrong: string | undefined;
  readonly onChange: (role: AgentRole) => void;
}

/** A choice of an agent's role. */
export function RoleField({ role, unset, wrong, onChange }: RoleFieldProps) {
  return (
    <Field label="Role" wrong={wrong}>
      <select value={role} onChange={({ target }) => onChange(Number(target.value) as AgentRole)}>
        <option value={AgentRole.UNSPECIFIED}>{unset}</option>
        {roleWords.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
    </Field>
  );
}
