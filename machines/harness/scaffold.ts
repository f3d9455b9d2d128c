import type { HarnessFile } from '#contract/pane/harness-file.ts';
import type { ScreenCondition } from '#contract/pane/screen-rule.ts';
import { empty, rank, strayPrompt, titleSpinner } from '#machines/pane/harness/common.ts';

/** The description of a new harness. */
export interface Sketch {
  readonly name: string;
  readonly command: string;
  /** The built-in harness that it resembles; undefined if there is none. */
  readonly like: string | undefined;
}

/**
 * The file of a new harness, to be edited by hand. It can be launched unchanged, and reads what most CLIs have in
 * common. It does not recognize a composer without a frame, because a submitted prompt looks the same.
 */
export function scaffold({ name, command, like }: Sketch): HarnessFile {
  const about = `How ${command} is started, and how its screens are read. docs/pane-states.md says what each part means.`;
  const launch = { command };
  if (like !== undefined) return { about, like, launch, rules: [], disable: [] };
  return {
    about,
    launch: { ...launch, start: [], resume: [], env: {} },
    layout: {
      composers: [
        {
          kind: 'framed',
          top: '^ *(?:──|╭─|┌─)',
          prompt: '^ *[│┃]? ?[>❯›](?: |$)',
          more: '^ *(?:[│┃]| {2}|$)',
          bottom: '^ *(?:──|╰─|└─)',
        },
      ],
      forms: [{ kind: 'marked', marks: '❯>›●→', sealed: false }],
      live: '^(?: |$)',
      stale: strayPrompt,
      ghost: { looks: ['dim', 'grey'], texts: [], plainTexts: [] },
    },
    rules: rulesOf(name),
  };
}

const hint = '\\b(?:[Ee]sc(?:ape)?|[Cc]trl ?[+-] ?[Cc]) (?:to )?(?:interrupt|cancel|stop)\\b';
const composerIsThere: ScreenCondition = { in: 'composer', is: 'present' };

function rulesOf(name: string): NonNullable<HarnessFile['rules']> {
  return [
    {
      id: `${name}/selection`,
      priority: rank.form,
      state: 'AGENT_STATE_WAITING',
      reason: 'selection',
      all: [{ in: 'form', is: 'present' }],
      none: [composerIsThere],
    },
    {
      id: `${name}/interrupt-hint`,
      priority: rank.status,
      state: 'AGENT_STATE_THINKING',
      reason: '',
      all: [composerIsThere],
      any: [
        { in: 'footer', text: hint },
        { in: 'live', last: 4, row: hint },
        { in: 'live', last: 4, row: '^ {0,2}[\\u2800-\\u28ff◐◓◑◒✢✳✶✻✽] \\S' },
      ],
    },
    {
      id: `${name}/title`,
      priority: rank.witness,
      state: 'AGENT_STATE_THINKING',
      reason: '',
      all: [{ in: 'title', row: titleSpinner }, composerIsThere],
    },
    {
      id: `${name}/rest`,
      priority: rank.rest,
      state: 'AGENT_STATE_IDLE',
      reason: '',
      all: [composerIsThere],
      any: [...empty],
    },
  ];
}
