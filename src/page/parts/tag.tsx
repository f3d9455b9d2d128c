import './tag.css';
import type { Tone } from './tone.ts';

interface TagProps {
  readonly tone: Tone;
  /** The word that says it without any colour. */
  readonly word: string;
  /** What it means, in full. */
  readonly title?: string | undefined;
}

/** A status: a word with a dot, in a colour. */
export function Tag({ tone, word, title }: TagProps) {
  return (
    <span className="tag" data-tone={tone} title={title}>
      {word}
    </span>
  );
}
