interface ChoiceProps<One> {
  readonly words: readonly (readonly [one: One, word: string])[];
  readonly value: One;
  readonly choose: (one: One) => void;
}

/** A field with one of a few choices. */
export function Choice<One extends number>({ words, value, choose }: ChoiceProps<One>) {
  return (
    <select value={value} onChange={({ target }) => choose(Number(target.value) as One)}>
      {words.map(([one, word]) => (
        <option key={one} value={one}>
          {word}
        </option>
      ))}
    </select>
  );
}
