interface RuledQuestionsOptions<Question> {
  /** How long a rule has to answer, in milliseconds: from the question on, and again from each answer of a rule. */
  readonly ruleMs: number;
  /** What an agent asks now whose question was kept back; undefined if it asks nothing any more. */
  readonly askedNow: (agentId: string, kept: Question) => Promise<Question | undefined>;
  /** Reports a question that no rule has answered. */
  readonly report: (question: Question) => void;
}

/** Questions that a rule may answer first: they are kept back until it has had the time for that. */
export class RuledQuestions<Question> {
  readonly #options: RuledQuestionsOptions<Question>;
  readonly #kept = new Map<string, { readonly question: Question; readonly timer: ReturnType<typeof setTimeout> }>();

  constructor(options: RuledQuestionsOptions<Question>) {
    this.#options = options;
  }

  /** Keeps a question of an agent back. */
  keep(agentId: string, question: Question): void {
    clearTimeout(this.#kept.get(agentId)?.timer);
    const timer = setTimeout(() => void this.#end(agentId, question), this.#options.ruleMs);
    this.#kept.set(agentId, { question, timer });
  }

  /** Waits again after a rule has answered a question of an agent: it may ask something else. */
  answered(agentId: string): void {
    const kept = this.#kept.get(agentId);
    if (kept !== undefined) this.keep(agentId, kept.question);
  }

  stop(): void {
    for (const { timer } of this.#kept.values()) clearTimeout(timer);
    this.#kept.clear();
  }

  async #end(agentId: string, question: Question): Promise<void> {
    const { timer } = this.#kept.get(agentId) ?? {};
    const asked = await this.#options.askedNow(agentId, question);
    // A rule has answered meanwhile.
    if (this.#kept.get(agentId)?.timer !== timer) return;
    this.#kept.delete(agentId);
    if (asked !== undefined) this.#options.report(asked);
  }
}
