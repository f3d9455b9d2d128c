import type { ScreenLabel } from '#contract/pane/recorded-screen.ts';

/** One thing that a person brings the CLI to show. */
export interface Step {
  readonly label: ScreenLabel;
  readonly title: string;
  /** What to do, one sentence a line. */
  readonly todo: readonly string[];
}

/** What is asked for, in the order in which it is easy to come by. */
export const steps: readonly Step[] = [
  {
    label: 'rest',
    title: 'at rest',
    todo: [
      'Bring the CLI to where it takes a prompt, with nothing typed.',
      'If it first asks something, record that too: trust, sign-in, selection or menu.',
    ],
  },
  {
    label: 'draft',
    title: 'a draft',
    todo: ['Type a few words into the CLI, and do not send them.'],
  },
  {
    label: 'working',
    title: 'at work',
    todo: [
      'Send a prompt that takes half a minute, such as: explain every file here in detail.',
      'Record while it works: it waits for its model, it writes, it runs a tool.',
      'The more of these moments, the surer the rules.',
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
      'Rest after an error or after an interruption is worth it too.',
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

/** The first step that nothing was recorded for and that was not skipped; undefined if none is left. */
export function nextStep(recorded: readonly ScreenLabel[], skipped: ReadonlySet<Step>): Step | undefined {
  const left = [...recorded];
  return steps.find((step) => {
    const at = left.indexOf(step.label);
    if (at >= 0) left.splice(at, 1);
    return at < 0 && !skipped.has(step);
  });
}
