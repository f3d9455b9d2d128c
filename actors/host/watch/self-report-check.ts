import type { Report, ReportedReading } from '#machines/agent/agent-context.ts';
import { contradicts, parseSelfReport, reportedState, type SelfReport } from '#machines/agent/self-report.ts';

/** How long a pane must contradict its CLI's report before the state is in doubt, in milliseconds. */
const doubtMs = 2_000;
/**
 * Tolerance between the time of a report and that of the screen, for different clocks and slow hooks; in milliseconds.
 */
const slackMs = 1_000;
/** How long a screen at rest must be unchanged before a report that contradicts it counts as stale, in milliseconds. */
const staleMs = { works: 5 * 60_000, asks: 30 * 60_000, ended: Number.POSITIVE_INFINITY } as const;
/** The age at which a report counts as stale if a changing screen has contradicted it ever since, in milliseconds. */
const oldMs = 30 * 60_000;
/** How long after its last change a screen may count as work if the CLI reports work, in milliseconds. */
const movingMs = 30_000;
/** How much of a report a reason quotes, in characters. */
const maxQuoted = 80;

/** The result of an observation: the reading to report, and why, if the screen alone does not decide. */
export interface CheckedReading {
  readonly reading: ReportedReading;
  /** Empty if the screen alone decides. */
  readonly why: string;
  /** The milliseconds until it must be checked again even without a change; undefined if it need not be. */
  readonly againMs?: number | undefined;
  /** The milliseconds that the reading must still last until it counts; undefined if it counts now. */
  readonly heldMs?: number;
}

/** A reading and the report that it is compared with. */
interface Comparison {
  readonly reading: ReportedReading;
  readonly report: Report | undefined;
  /** Whether the agent is already in doubt, as it may be after a restart of its host. */
  readonly isDoubted: boolean;
  /** How long the screen has been unchanged, in milliseconds. */
  readonly unchangedMs: number;
  readonly now: number;
}

/**
 * Compares a CLI's self-report with what its pane shows. A report never makes an agent IDLE: it raises doubt, or shows
 * work if the screen is in doubt. It counts until the pane has shown what it reports, or until it is stale.
 */
export class SelfReportCheck {
  /** When each state was seen last. */
  readonly #seen = new Map<string, number>();
  /** The current contradiction, and since when. */
  #doubt: { readonly about: string; readonly since: number } | undefined;

  judge({ reading, report, isDoubted, unchangedMs, now }: Comparison): CheckedReading {
    this.#seen.set(reading.state, now);
    const said = report && parseSelfReport(report.reason);
    if (report === undefined || said === undefined) return this.#withoutDoubt(reading);
    if (said === 'works' && isUnknown(reading)) return this.#working(reading, report, { unchangedMs, now });
    if (report.open !== true || this.#wasSeen(reportedState(said), report) || !contradicts(reading, said)) {
      return this.#withoutDoubt(reading);
    }
    const isAtRest = reading.state === 'AGENT_STATE_IDLE';
    const canAge = said !== 'ended' && reading.state !== 'AGENT_STATE_THINKING';
    const isOld = canAge && now - report.at >= oldMs;
    if (isOld || (isAtRest && unchangedMs >= staleMs[said])) return this.#withoutDoubt(reading);
    const untilOld = canAge ? report.at + oldMs - now : undefined;
    const untilCalm = Math.min(staleMs[said] - unchangedMs, untilOld ?? Number.POSITIVE_INFINITY);
    const about = `${report.at} ${report.reason}`;
    this.#doubt = this.#doubt?.about === about ? this.#doubt : { about, since: isDoubted ? now - doubtMs : now };
    const left = doubtMs - (now - this.#doubt.since);
    if (left > 0) return { reading, why: '', againMs: left };
    return { ...disagreement(reading, report, said), againMs: isAtRest ? untilCalm : untilOld };
  }

  #withoutDoubt(reading: ReportedReading): CheckedReading {
    this.#doubt = undefined;
    return { reading, why: '' };
  }

  /**
   * Handles an unknown row while the CLI reports work: it counts as work if the screen changes, and was not at rest
   * since.
   */
  #working(
    reading: ReportedReading,
    report: Report,
    { unchangedMs, now }: Pick<Comparison, 'unchangedMs' | 'now'>,
  ): CheckedReading {
    this.#doubt = undefined;
    if (unchangedMs >= movingMs || now - report.at >= oldMs || this.#wasSeen('AGENT_STATE_IDLE', report))
      return { reading, why: '' };
    const why = 'its CLI says that it works, and its screen changed within the last 30 s';
    return { reading: { ...reading, state: 'AGENT_STATE_THINKING' }, why, againMs: movingMs - unchangedMs };
  }

  #wasSeen(state: string, { at }: Report): boolean {
    return (this.#seen.get(state) ?? Number.NEGATIVE_INFINITY) >= at - slackMs;
  }
}

function isUnknown({ state, reason }: ReportedReading): boolean {
  return state === 'AGENT_STATE_UNCERTAIN' && reason === 'unknown-row';
}

const saysWhat = { asks: 'asks', works: 'works', ended: 'ended its turn' } as const;

function disagreement(
  reading: ReportedReading,
  report: Report,
  said: SelfReport,
): Pick<CheckedReading, 'reading' | 'why'> {
  const [line = ''] = report.reason.split('\n');
  const quoted = line.length > maxQuoted ? `${line.slice(0, maxQuoted)}…` : line;
  const shows = reading.state.replace('AGENT_STATE_', '');
  const shown = reading.reason === '' ? shows : `${shows} (${reading.reason})`;
  return {
    reading: {
      state: 'AGENT_STATE_UNCERTAIN',
      reason: `disagreement, its screen shows ${shown}, its CLI says “${quoted}”`,
      ...(reading.drafted !== undefined && { drafted: reading.drafted }),
      ...(said === 'asks' && { asksUnseen: true }),
    },
    why: `its CLI says that it ${saysWhat[said]} (“${quoted}”), and its screen has not shown that since`,
  };
}
