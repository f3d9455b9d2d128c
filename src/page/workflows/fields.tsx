import { Field } from '#page/dialog/field.tsx';
import type { Draft, DraftField } from './draft.ts';

/** The props of every part of the form. */
export interface PartProps {
  readonly draft: Draft;
  readonly set: (changed: Partial<Draft>) => void;
  readonly wrong: (field: DraftField) => string | undefined;
}

type TextField = { [F in DraftField]: Draft[F] extends string ? F : never }[DraftField];

interface TextProps extends PartProps {
  readonly field: TextField;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** How many lines it has; one means an input of one line. */
  readonly rows?: number;
  readonly isCode?: boolean;
}

/** A text field of the form. */
export function TextInput({ draft, set, wrong, field, label, hint, placeholder, rows = 1, isCode = true }: TextProps) {
  const shared = {
    value: draft[field],
    placeholder,
    autoComplete: 'off',
    spellCheck: !isCode,
    ...(isCode && { className: 'code' }),
  };
  const write = (value: string): void => set({ [field]: value });
  return (
    <Field label={label} wrong={wrong(field)} {...(hint !== undefined && { hint })}>
      {rows === 1 ? (
        <input {...shared} onChange={({ target }) => write(target.value)} />
      ) : (
        <textarea {...shared} rows={rows} onChange={({ target }) => write(target.value)} />
      )}
    </Field>
  );
}

interface ChecksProps<One> {
  readonly legend: string;
  readonly words: readonly (readonly [one: One, word: string])[];
  readonly chosen: readonly One[];
  readonly choose: (chosen: One[]) => void;
}

/** A choice of several from a short list. */
export function Checks<One extends number>({ legend, words, chosen, choose }: ChecksProps<One>) {
  return (
    <fieldset className="plain">
      <legend>{legend}</legend>
      {words.map(([one, word]) => (
        <label key={one} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(one)}
            onChange={({ target }) =>
              choose(target.checked ? [...chosen, one] : chosen.filter((other) => other !== one))
            }
          />
          {word}
        </label>
      ))}
    </fieldset>
  );
}
