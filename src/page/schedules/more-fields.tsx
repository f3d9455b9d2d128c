import { Field } from '#page/dialog/field.tsx';
import { More } from '#page/parts/more.tsx';
import type { Draft, DraftField } from './draft.ts';
import { missedWords, overlapWords } from './words.ts';

interface MoreProps {
  readonly draft: Draft;
  readonly set: (changed: Partial<Draft>) => void;
  readonly wrong: (field: DraftField) => string | undefined;
  readonly isNew: boolean;
}

const numbers = [
  ['catchUpSeconds', 'Maximum lateness', 'seconds; default: a day'],
  ['jitterSeconds', 'Spread over', 'seconds'],
  ['maxAttempts', 'Attempts', 'empty is 3'],
  ['pauseAfterFailures', 'Pause after', 'failed runs in a row; default: never'],
] as const;

/** Fields that are rarely changed. */
export function MoreFields({ draft, set, wrong, isNew }: MoreProps) {
  return (
    <More title="Missed times, overlap, attempts" wanted={numbers.some(([field]) => wrong(field) !== undefined)}>
      <div className="pair">
        <Field label="Missed times">
          <select value={draft.missed} onChange={({ target }) => set({ missed: Number(target.value) })}>
            {missedWords.map(([policy, word]) => (
              <option key={policy} value={policy}>
                {word}
              </option>
            ))}
          </select>
        </Field>
        <Field label="While an earlier agent is at work">
          <select value={draft.overlap} onChange={({ target }) => set({ overlap: Number(target.value) })}>
            {overlapWords.map(([policy, word]) => (
              <option key={policy} value={policy}>
                {word}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <div className="pair">
        {numbers.map(([field, label, hint]) => (
          <Field key={field} label={label} hint={hint} wrong={wrong(field)}>
            <input
              inputMode="numeric"
              value={draft[field]}
              autoComplete="off"
              onChange={({ target }) => set({ [field]: target.value.replace(/\D/g, '') })}
            />
          </Field>
        ))}
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.hideAgents}
          onChange={({ target }) => set({ hideAgents: target.checked })}
        />
        keep its agents out of the list
      </label>
      {isNew && (
        <label className="check">
          <input type="checkbox" checked={draft.paused} onChange={({ target }) => set({ paused: target.checked })} />
          create it paused
        </label>
      )}
    </More>
  );
}
