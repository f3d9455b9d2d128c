import type { ResponseOf } from '#cli/client/client.ts';
import { follow } from '#cli/client/follow.ts';
import { onOwnScreen, typedUntil } from '#cli/client/own-screen.ts';
import type { Session } from '#cli/client/session.ts';
import type { ListedAgent } from '#cli/find/find-agent.ts';
import { answerKey } from '#cli/rpc/answer-keys.ts';
import { AnswerQueue, answerRequest, piecesText } from '#contract/pane/answer-queue.ts';
import { type Input, inputsOf } from '#contract/pane/typed-input.ts';
import { printable, printableScreen } from '#contract/printable.ts';
import { answeredText, typedLine, whyDropped } from './answered-text.ts';
import { questionPage } from './question-page.ts';

type Frame = ResponseOf<'agent.v1.AgentService/WatchPane'>;

/**
 * How long a screen must be visible before a key answers it, in milliseconds. An earlier key was meant for the previous
 * screen.
 */
const seenMs = 400;
/** How long to wait for the next question: after the last new screen, and in all, in milliseconds. */
const [idleMs, longestIdleMs] = [2_000, 5_000];
/** Keys that only move within a selection. */
const steps: ReadonlySet<string> = new Set(['Up', 'Down', 'Left', 'Right']);

/**
 * Shows an agent's question live in the person's own terminal, and types the keys that answer it. A line is edited here
 * and sent with Enter. Ends after a while without a question, or with Ctrl-C.
 */
export class LiveAnswer {
  readonly #session: Session;
  readonly #found: ListedAgent;
  readonly #leaving = new AbortController();
  readonly #queue: AnswerQueue;
  #frame: Frame | undefined;
  /** When its screen last changed on its own, in milliseconds since 1970. */
  #shownAt = 0;
  #lastKey = '';
  #line = '';
  /** The input that was not typed, and why, until the next answer. */
  #notice = '';
  /** The input that is being typed. */
  #typing = '';
  /** The pieces that were given and not dropped, in words. */
  #given: string[] = [];
  /** The timer that ends the command while nothing is asked. */
  #idleTimer: NodeJS.Timeout | undefined;
  /** Since when nothing is asked, in milliseconds since 1970. */
  #idleSince: number | undefined;

  constructor(session: Session, found: ListedAgent) {
    this.#session = session;
    this.#found = found;
    const client = session.client();
    this.#queue = new AnswerQueue({
      async send(piece, screenDigest) {
        const { keys, text } = answerRequest(piece);
        const asked = { agentId: found.id, screenDigest, text, keys: keys.flatMap((key) => answerKey(key) ?? []) };
        const result = await client.call('agent.v1.AgentService/AnswerAgent', asked);
        return { screenDigest: result.screenDigest ?? '', sameQuestion: result.sameQuestion ?? false };
      },
      onChange: (waiting) => {
        this.#typing = waiting.length > 0 ? `typing ${piecesText(waiting)} …` : '';
        this.#draw();
      },
      onDropped: (pieces, error) => {
        this.#given = this.#given.slice(0, this.#given.length - pieces.length);
        this.#say(whyDropped(piecesText(pieces), error));
      },
    });
  }

  /** Runs until nothing is asked, or the person leaves. */
  async run(): Promise<void> {
    const { io } = this.#session;
    io.signal?.addEventListener('abort', () => this.#leaving.abort(), { once: true });
    const last = await onOwnScreen(
      io,
      () => this.#draw(),
      () => this.#showAndListen(),
    );
    io.stdout.write(last);
  }

  async #showAndListen(): Promise<string> {
    const listening = this.#listen();
    try {
      return await this.#show();
    } finally {
      this.#leaving.abort();
      clearTimeout(this.#idleTimer);
      await listening;
    }
  }

  /** Shows each screen; returns what to print at the end. */
  async #show(): Promise<string> {
    const { io, client } = this.#session;
    const { id: agentId } = this.#found;
    const { signal } = this.#leaving;
    const screens = follow({ ...io, signal }, (cursor) =>
      client().watch(
        'agent.v1.AgentService/WatchPane',
        cursor === undefined ? { agentId } : { agentId, cursor },
        signal,
      ),
    );
    for await (const frame of screens) {
      if (frame.screen === undefined) continue;
      this.#see(frame);
      if (!this.#isAsked && this.#given.length === 0) return this.#result();
      this.#endIfIdle();
      this.#draw();
    }
    return this.#given.length === 0 ? '' : this.#result();
  }

  /**
   * Ends the command after a while without a question. The next question may take a moment, and is known as one only once
   * it has stood still: so each new screen restarts the wait, within limits.
   */
  #endIfIdle(): void {
    clearTimeout(this.#idleTimer);
    const now = this.#session.io.now();
    this.#idleSince = this.#isAsked ? undefined : (this.#idleSince ?? now);
    if (this.#idleSince === undefined) return;
    const left = Math.min(idleMs, this.#idleSince + longestIdleMs - now);
    this.#idleTimer = setTimeout(() => this.#leaving.abort(), Math.max(0, left));
  }

  #result(): string {
    const { state = 'AGENT_STATE_UNSPECIFIED', reason: stateReason = '' } = this.#frame?.reading ?? {};
    return `${answeredText(this.#found.name, this.#given, { alive: true, state, stateReason })}\n`;
  }

  #see(frame: Frame): void {
    if (frame.screenDigest !== this.#frame?.screenDigest) {
      const isExpected = this.#frame === undefined || steps.has(this.#lastKey);
      this.#shownAt = isExpected ? 0 : this.#session.io.now();
      if (this.#line !== '') this.#notice = 'its screen has changed: what you wrote was not typed';
      this.#line = '';
    }
    this.#frame = frame;
  }

  async #listen(): Promise<void> {
    for await (const text of typedUntil(this.#session.io.stdin, this.#leaving.signal)) {
      for (const input of inputsOf(text)) this.#take(input);
    }
    this.#leaving.abort();
  }

  #take(input: Input): void {
    if ('key' in input && input.key === 'C-c') this.#leaving.abort();
    else if (!this.#isAsked) this.#say('nothing is asked at the moment: that was not typed');
    else if (this.#isLine) this.#write(input);
    else this.#pressAll(input);
  }

  #pressAll(input: Input): void {
    const typed = 'key' in input ? [input.key] : [...('text' in input ? input.text : input.paste)];
    for (const one of typed.map((letter) => (letter === ' ' ? 'Space' : letter))) {
      if (answerKey(one) !== undefined) this.#give({ key: one });
      else this.#say(`${printable(one)} is not a key that can be pressed: --text types it`);
    }
  }

  /** Edits the line. */
  #write(input: Input): void {
    if ('text' in input) this.#line += input.text;
    else if ('paste' in input) this.#line += input.paste;
    else if (input.key === 'BSpace') this.#line = [...this.#line].slice(0, -1).join('');
    else if (input.key === 'Enter') {
      this.#give(this.#line === '' ? { key: 'Enter' } : { line: this.#line });
      this.#line = '';
    }
    this.#draw();
  }

  #give(piece: { readonly key: string } | { readonly line: string }): void {
    const { screenDigest } = this.#frame ?? {};
    const isTooSoon = this.#session.io.now() - this.#shownAt < seenMs;
    if (screenDigest === undefined || isTooSoon) {
      this.#say('its screen has just changed: nothing was typed, and this is what it shows now');
      return;
    }
    this.#lastKey = 'key' in piece ? piece.key : '';
    this.#notice = '';
    const isSecret = this.#frame?.reading?.answer === 'ANSWER_KIND_SECRET';
    this.#given.push('key' in piece ? piece.key : `${typedLine(piece.line, isSecret)}, Enter`);
    this.#queue.add(piece, screenDigest);
  }

  #say(notice: string): void {
    this.#notice = notice;
    this.#draw();
  }

  #draw(): void {
    const { io } = this.#session;
    const { screen, reading } = this.#frame ?? {};
    if (screen === undefined || this.#leaving.signal.aborted) return;
    const line = reading?.answer === 'ANSWER_KIND_SECRET' ? '' : printable(this.#line);
    const asks = this.#isLine ? `Type the answer and Enter: ${line}` : 'Press the keys that answer it; Ctrl-C leaves.';
    const prompt = this.#isAsked ? asks : 'Answered. Waiting for its next question; Ctrl-C leaves.';
    const notice = printable(this.#notice || this.#typing);
    io.stdout.write(questionPage(io.stdout, { screen: printableScreen(screen.text ?? ''), notice, prompt }));
  }

  get #isAsked(): boolean {
    return this.#frame?.reading?.state === 'AGENT_STATE_WAITING';
  }

  get #isLine(): boolean {
    const kind = this.#frame?.reading?.answer;
    return kind === 'ANSWER_KIND_LINE' || kind === 'ANSWER_KIND_SECRET';
  }
}
