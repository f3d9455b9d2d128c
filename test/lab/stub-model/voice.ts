import type { ModelRequest } from './model-request.ts';

/** Writes an answer in the words of one API, event by event. Blocks are opened and closed by the one who calls. */
export interface Voice {
  begin(): void;
  /** A block of text or of thought: its pieces, as they come. */
  open(kind: 'text' | 'thought'): void;
  piece(text: string): void;
  close(): void;
  call(tool: string, input: Readonly<Record<string, unknown>>): void;
  end(): void;
}

/** Sends one server-sent event; `name` is undefined if the API has no names for them. */
export type Send = (name: string | undefined, data: object | string) => void;

/** One API that a CLI speaks to its model by. */
export interface Api {
  /** The path that it is asked at. */
  readonly path: RegExp;
  /** Whether an answer is one JSON object, which is sent at once, instead of a stream of events. */
  readonly isWhole?: true;
  read(body: unknown, path: string): ModelRequest;
  voice(send: Send, request: ModelRequest): Voice;
}
