import type { Tools } from './tools.ts';

/** What a part is played with. */
export interface Stage {
  readonly tools: Tools;
  /** Adds a line to the screen. */
  say(text: string): void;
  /** Does a piece of work while the status row names it. */
  during<Result>(status: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * What a scripted agent does with a text that was submitted to it: its briefing, a prompt, or the line that rings its
 * doorbell.
 */
export type Part = (text: string, stage: Stage) => Promise<void>;

/** One mail, as far as the parts go by it. */
export interface Mail {
  readonly id: string;
  readonly fromAgentId?: string;
  readonly fromName?: string;
  readonly subject?: string;
  readonly body?: string;
}

/** Takes all mail that waits. */
export async function takeMail({ tools }: Stage): Promise<Mail[]> {
  const { mail = [] } = await tools.call<{ mail?: Mail[] }>('take_mail', { view: 'VIEW_FULL', limit: 50 });
  return mail;
}
