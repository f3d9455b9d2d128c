/** A tool that a CLI offers its model. */
export interface OfferedTool {
  readonly name: string;
  /** The names of its arguments. */
  readonly takes: readonly string[];
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
