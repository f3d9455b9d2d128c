/** One piece of an answer as a person gave it: a key, or a line that Enter sends. */
export type AnswerPiece = { readonly key: string } | { readonly line: string };

/** What an answer came to. */
export interface AnswerResult {
  readonly screenDigest: string;
  readonly sameQuestion: boolean;
}

interface Waiting {
  readonly piece: AnswerPiece;
  /** The screen that the person saw as they gave it. */
  readonly screenDigest: string;
}

export interface AnswerQueueOptions {
  /** Has a piece typed at exactly this screen, or throws. */
  readonly send: (piece: AnswerPiece, screenDigest: string) => Promise<AnswerResult>;
  /** Called with what has not been typed yet, whenever that changes. */
  readonly onChange: (waiting: readonly AnswerPiece[]) => void;
  /** Called with what is not typed any more. Without an error something else is asked by now. */
  readonly onDropped: (pieces: readonly AnswerPiece[], error: unknown) => void;
}

/**
 * Answers that a person gives faster than they are typed, in order. Each is bound to the question that the person saw:
 * it is typed while that question stands, as their earlier keys have left it, and at no other one. What is not typed is
 * reported.
 */
export class AnswerQueue {
  readonly #options: AnswerQueueOptions;
  #waiting: Waiting[] = [];
  /**
   * The screens of the question that stands, as the person's own keys have changed it; the last one is as it is now.
   */
  #standing: readonly string[] = [];
  #isSending = false;

  constructor(options: AnswerQueueOptions) {
    this.#options = options;
  }

  /** Takes a piece that answers the screen which is shown. */
  add(piece: AnswerPiece, screenDigest: string): void {
    // As they see it, though their last key has just changed it.
    if (!this.#isSending && !this.#standing.includes(screenDigest)) this.#standing = [screenDigest];
    this.#waiting.push({ piece, screenDigest });
    this.#changed();
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#standing.includes(next.screenDigest)) await this.#send(next.piece);
      else this.#drop(undefined);
    }
    this.#isSending = false;
  }

  async #send(piece: AnswerPiece): Promise<void> {
    try {
      const { screenDigest, sameQuestion } = await this.#options.send(piece, this.#standing.at(-1) ?? '');
      this.#standing = sameQuestion ? [...this.#standing, screenDigest] : [screenDigest];
      this.#waiting.shift();
      this.#changed();
    } catch (error) {
      this.#standing = [];
      this.#drop(error);
    }
  }

  #drop(error: unknown): void {
    const dropped = this.#waiting.map(({ piece }) => piece);
    this.#waiting = [];
    this.#changed();
    this.#options.onDropped(dropped, error);
  }

  #changed(): void {
    this.#options.onChange(this.#waiting.map(({ piece }) => piece));
  }
}

/** A piece as the service takes it. */
export function answerRequest(piece: AnswerPiece): { readonly keys: string[]; readonly text: string } {
  return 'key' in piece ? { keys: [piece.key], text: '' } : { keys: ['Enter'], text: piece.line };
}

/** Pieces in words; a line may be a password. */
export function piecesText(pieces: readonly AnswerPiece[]): string {
  return pieces.map((piece) => ('key' in piece ? piece.key : 'what you typed')).join(', ');
}
