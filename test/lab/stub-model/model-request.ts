/** A tool that a CLI offers its model. */
export interface OfferedTool {
  readonly name: string;
  /** The names of its arguments. */
  readonly takes: readonly string[];
  /** The names of what each of its questions has, if it asks a person some. */
  readonly questionTakes?: readonly string[] | undefined;
  /** Whether it takes one text instead of arguments. */
  readonly isText?: boolean | undefined;
}

/**
 * One thing that the model is reported: a text in the person's name, exactly as it came, or what a tool gave, as JSON.
 */
export type Heard = { readonly kind: 'text' | 'result'; readonly text: string };

/** What a CLI asks of its model, whichever API it speaks. */
export interface ModelRequest {
  readonly model: string;
  /** The conversation so far, oldest first, without the model's own part. */
  readonly heard: readonly Heard[];
  /** None if the CLI wants words alone, such as a title. */
  readonly tools: readonly OfferedTool[];
}
