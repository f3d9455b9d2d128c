import type { ScreenLabel } from '#contract/pane/recorded-screen.ts';

/** One state that a person should bring the CLI into. */
export interface Step {
  readonly label: ScreenLabel;
  readonly title: string;
  /** The instructions, one sentence per line. */
  readonly todo: readonly string[];
}

/** The states to record, the easiest first. */
export const steps: readonly Step[] = [
  {
    label: 'rest',
    title: 'at rest',
    todo: [
      'Bring the CLI to an empty prompt, ready for input.',
      'If it first asks something, record that too: trust, sign-in, selection or menu.',
      'If it lacks a variable, such as a key: quit, and continue with --resume --env NAME.',
    ],
  },
  {
    label: 'draft',
    title: 'a draft',
    todo: ['Type a few words into the CLI, but do not send them.'],
  },
  {
    label: 'working',
    title: 'at work',
    todo: [
      'Send a prompt that takes half a minute, such as: explain every file here in detail.',
      'Record it several times while it works: as it waits for its model, writes, runs a tool.',
      'The more moments, the more reliable the rules.',
    ],
  },
  {
    label: 'permission',
    title: 'a permission',
    todo: ['Let it ask whether it may run a command, such as: run the command touch hello.'],
  },
  {
    label: 'rest',
    title: 'at rest after a turn',
    todo: [
      'Answer, let the turn end, and record it at rest again.',
      'Rest after an error or an interruption is worth recording too.',
    ],
  },
  {
    label: 'question',
    title: 'a question',
    todo: ['If it can ask you to choose between answers, let it: ask me which colour I like, with choices.'],
  },
  {
    label: 'menu',
    title: 'a menu',
    todo: ['Open a menu of its own, such as /model, and record it.'],
  },
];

/** The first step that is neither recorded nor skipped; undefined if none is left. */
export function nextStep(recorded: readonly ScreenLabel[], skipped: ReadonlySet<Step>): Step | undefined {
  const left = [...recorded];
  return steps.find((step) => {
    const at = left.indexOf(step.label);
    if (at >= 0) left.splice(at, 1);
    return at < 0 && !skipped.has(step);
  });
}
