import { color, type HighlightedRows, type HighlightRequest } from './coloring.ts';

/** A request to the worker; its answer has the same number. */
export interface ColorQuestion {
  readonly id: number;
  readonly uncolored: HighlightRequest;
}
export interface ColorAnswer {
  readonly id: number;
  /** Undefined if the rows could not be coloured. */
  readonly colored: HighlightedRows | undefined;
}

self.addEventListener('message', ({ data: { id, uncolored } }: MessageEvent<ColorQuestion>) => {
  const answer = (colored: HighlightedRows | undefined): void =>
    self.postMessage({ id, colored } satisfies ColorAnswer);
  color(uncolored).then(answer, () => answer(undefined));
});
