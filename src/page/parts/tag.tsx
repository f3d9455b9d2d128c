import './tag.css';
import type { Tone } from './tone.ts';

interface TagProps {
  readonly tone: Tone;
  /** The text, which must be clear without the colour. */
  readonly word: string;
  /** The full meaning. */
  readonly title?: string | undefined;
}

/** A status: a word with a coloured dot. */
export function Tag({ tone, word, title }: TagProps) {
  return (
    <span className="tag" data-tone={tone} title={title}>
      {word}
    </span>
  );
}
