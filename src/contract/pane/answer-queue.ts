/** One piece of a person's answer: a key, or a line that Enter sends. */
export type AnswerPiece = { readonly key: string } | { readonly line: string };

/** The result of typing a piece. */
export interface AnswerResult {
  readonly screenDigest: string;
  readonly sameQuestion: boolean;
}

interface Waiting {
  readonly piece: AnswerPiece;
  /** The screen that the person saw when they gave it. */
  readonly screenDigest: string;
}

export interface AnswerQueueOptions {
  /** Types a piece at exactly this screen, or throws. */
  readonly send: (piece: AnswerPiece, screenDigest: string) => Promise<AnswerResult>;
  /** Called with the pieces that are not typed yet, whenever they change. */
  readonly onChange: (waiting: readonly AnswerPiece[]) => void;
  /** Called with pieces that will not be typed. Without an error, the question has changed. */
  readonly onDropped: (pieces: readonly AnswerPiece[], error: unknown) => void;
}

/**
 * Queues answers that a person gives faster than they can be typed, and types them in order. Each piece belongs to the
 * question that the person saw: it is typed only at that question, as their earlier keys have left it. Pieces that are
 * not typed are reported.
 */
export class AnswerQueue {
  readonly #options: AnswerQueueOptions;
  #waiting: Waiting[] = [];
  /**
   * The successive screens of the current question, as the person's keys changed it. The last one is the current one.
   */
  #standing: readonly string[] = [];
  #isSending = false;

  constructor(options: AnswerQueueOptions) {
    this.#options = options;
  }

  /** Adds a piece that answers the screen on display. */
  add(piece: AnswerPiece, screenDigest: string): void {
    // The person sees this screen, even if their last key has just changed it.
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

/** The fields of a request that answers with a piece. */
export function answerRequest(piece: AnswerPiece): { readonly keys: string[]; readonly text: string } {
  return 'key' in piece ? { keys: [piece.key], text: '' } : { keys: ['Enter'], text: piece.line };
}

/** Pieces in words. Lines are not shown, because one may be a password. */
export function piecesText(pieces: readonly AnswerPiece[]): string {
  return pieces.map((piece) => ('key' in piece ? piece.key : 'what you typed')).join(', ');
}
