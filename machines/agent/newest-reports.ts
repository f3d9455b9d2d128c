import type { AgentState } from '#contract/agent/agent-state.ts';
import type { AgentContext, AgentEvent, Report } from './agent-context.ts';
import { parseSelfReport, reportedState } from './self-report.ts';

type NewestReports = Pick<AgentContext, 'report' | 'session'>;

/** The newer of the known report and this one, because reports may arrive out of order. */
export function newestReports(
  known: AgentContext,
  { report, session }: Extract<AgentEvent, { type: 'REPORTED' }>,
): NewestReports {
  const newest = newer(known.report, report);
  return {
    report: newest === report ? openIn(known, report) : newest,
    session: newer(known.session, session),
  };
}

/** A new report. It is open until the pane shows what it reports, which may have happened before the report arrived. */
function openIn({ state }: AgentContext, { reason, at }: Report): Report {
  const said = parseSelfReport(reason);
  return said === undefined || reportedState(said) === state ? { reason, at } : { reason, at, open: true };
}

/** The report once the pane has decided a state. */
export function shownBy(state: AgentState, report: Report | undefined): Report | undefined {
  const said = report?.open === true ? parseSelfReport(report.reason) : undefined;
  if (report === undefined || said === undefined || reportedState(said) !== state) return report;
  return { reason: report.reason, at: report.at };
}

function newer<T extends { readonly at: number }>(known: T | undefined, reported: T | undefined): T | undefined {
  return reported !== undefined && reported.at >= (known?.at ?? 0) ? reported : known;
}

/**
 * Whether a report is new. A repeated text is new only if the pane has shown the reported state since, and now shows
 * another one.
 */
export function isNewReport(known: NewestReports, { report, session }: NewestReports): boolean {
  const isOther = (known.report?.reason ?? '') !== (report?.reason ?? '') || known.session?.id !== session?.id;
  return isOther || (report?.open === true && known.report?.open !== true);
}
