import { z } from 'zod';
import type { PaneState } from '#contract/agent/agent-state.ts';
import type { Capture } from './capture.ts';

/** What a CLI is doing while its screen is recorded, according to the person who records it. */
export const ScreenLabel = z.enum([
  'rest',
  'draft',
  'working',
  'permission',
  'question',
  'plan',
  'trust',
  'sign-in',
  'menu',
  'selection',
  'starting',
  'help',
  'viewer',
  'exited',
  'other',
]);
export type ScreenLabel = z.infer<typeof ScreenLabel>;

/** The state that a label stands for, and its description for people. */
export interface LabelMeaning {
  readonly state: PaneState;
  readonly about: string;
}

/** The meaning of each label. See `reasonOfLabel` for the reason that it is read with. */
export const labelMeanings: Readonly<Record<ScreenLabel, LabelMeaning>> = {
  rest: { state: 'AGENT_STATE_IDLE', about: 'it is ready for a prompt, and nothing is typed' },
  draft: { state: 'AGENT_STATE_UNCERTAIN', about: 'something is typed and not sent' },
  working: { state: 'AGENT_STATE_THINKING', about: 'it works on a turn: waits for the model, writes, runs a tool' },
  permission: { state: 'AGENT_STATE_WAITING', about: 'it asks whether it may run or change something' },
  question: { state: 'AGENT_STATE_WAITING', about: 'it asks a question of its own' },
  plan: { state: 'AGENT_STATE_WAITING', about: 'it asks for approval of a plan' },
  trust: { state: 'AGENT_STATE_WAITING', about: 'it asks whether the folder is trusted' },
  'sign-in': { state: 'AGENT_STATE_WAITING', about: 'it asks you to sign in' },
  menu: { state: 'AGENT_STATE_WAITING', about: 'a menu that you opened has the keyboard' },
  selection: { state: 'AGENT_STATE_WAITING', about: 'some other selection has the keyboard' },
  starting: { state: 'AGENT_STATE_UNCERTAIN', about: 'it is still starting' },
  help: { state: 'AGENT_STATE_UNCERTAIN', about: 'its help is open' },
  viewer: { state: 'AGENT_STATE_UNCERTAIN', about: 'a transcript or a viewer covers the live screen' },
  exited: { state: 'AGENT_STATE_UNCERTAIN', about: 'it has ended' },
  other: { state: 'AGENT_STATE_UNCERTAIN', about: 'none of these, or you are not sure' },
};

/** The reason that a screen of this label is read with. */
export function reasonOfLabel(label: ScreenLabel): string {
  return ['rest', 'working', 'other'].includes(label) ? '' : label;
}

/** A recorded screen and what the CLI was doing. */
export interface RecordedScreen {
  /** `<label>-<moment>-<size>-<frame>`, such as `working-2-80x24-1`; unique within a harness. */
  readonly name: string;
  readonly label: ScreenLabel;
  /** The number of the moment within its label, from one. All screens of a moment show the same thing. */
  readonly moment: number;
  readonly capture: Capture;
}
