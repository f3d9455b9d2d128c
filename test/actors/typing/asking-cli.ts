import { captureOf } from '#test/pane/screen-corpus.ts';
import type { Pane, Terminal } from '#world/terminal/terminal.ts';
import { TerminalsStandIn } from '../terminal-stand-in.ts';

/** What Codex shows at rest, asking, with a draft, and at work. */
const screens = {
  rest: ['› Ask Codex to do anything', '', '  gpt-5.4 default · ~/demo'],
  question: ['  Trust this folder?', '', '› 1. Trust and continue', '  2. Back', '', '  enter continue · esc back'],
  drafted: ['› find the bug', '', '  gpt-5.4 default · ~/demo'],
  working: ['• Working (1s • esc to interrupt)', '', '› Ask Codex to do anything', '', '  gpt-5.4 default · ~/demo'],
} as const;

/** A Codex that asks something in the very moment of the first paste, which it swallows; a person answers by and by. */
export class AskingCli extends TerminalsStandIn {
  /** What was done to it, in order; a write reports what was on the screen by then. */
  readonly done: string[] = [];
  #screen: keyof typeof screens = 'rest';
  #stamp: string;
  #looks = 0;

  /** `stamp` is the pane's earlier stamp: if it has one, the paste was just swallowed. */
  constructor(family: string, stamp = '') {
    super();
    this.alive.add(family);
    this.#stamp = stamp;
    if (stamp !== '') this.#screen = 'question';
  }

  override async of(family: string): Promise<Terminal> {
    const terminal = await super.of(family);
    const pane: Pane = { agentId: family, paneId: '%1', pid: 1, dead: false, exitStatus: undefined };
    return {
      ...terminal,
      panes: async () => [pane],
      capture: async () => this.#observe(),
      paste: async (_paneId, _text, stamp = this.#stamp) =>
        this.#write('paste', stamp, this.#isFirst() ? 'question' : 'drafted'),
      submit: async (_paneId, stamp = this.#stamp) => this.#write('submit', stamp, 'working'),
      stampOf: async () => this.#stamp,
    };
  }

  #isFirst(): boolean {
    return this.#stamp === '';
  }

  #write(what: string, stamp: string, next: keyof typeof screens): 'written' {
    this.done.push(`${what} on ${this.#screen}`);
    this.#stamp = stamp;
    this.#screen = next;
    return 'written';
  }

  #observe() {
    if (this.#screen === 'question') {
      this.#looks += 1;
      if (this.#looks > 40) {
        this.done.push('answer');
        this.#screen = 'rest';
      }
    }
    return captureOf(screens[this.#screen], { size: '80x24', cursor: '2,0', command: 'codex', title: 'demo' });
  }
}
