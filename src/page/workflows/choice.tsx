import type { SelectHTMLAttributes } from 'react';

/** The marks of a field, such as the id that its label names, go to the input. */
interface ChoiceProps<One>
  extends Pick<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'aria-invalid' | 'aria-describedby'> {
  readonly words: readonly (readonly [one: One, word: string])[];
  readonly value: One;
  readonly choose: (one: One) => void;
}

/** A field with one of a few choices. */
export function Choice<One extends number>({ words, value, choose, ...marks }: ChoiceProps<One>) {
  return (
    <select {...marks} value={value} onChange={({ target }) => choose(Number(target.value) as One)}>
      {words.map(([one, word]) => (
        <option key={one} value={one}>
          {word}
        </option>
      ))}
    </select>
  );
}
