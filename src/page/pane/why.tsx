import { newerText } from '#contract/pane/harness-version.ts';
import type { ExplainAgentResponse, PaneReading } from '#page/client/agent/v1/agent_pb.js';
import { statusOfState } from '#page/fleet/agent-status.ts';

interface WhyProps {
  readonly reading: PaneReading | undefined;
  /** The full explanation, if the screen is the current one. */
  readonly explained: ExplainAgentResponse | undefined;
  /** The version of the rules that decided, if known. */
  readonly rulesVersion: string;
}

/**
 * Why the screen is read as it is: the rule that decided, the rows on which it is based, and the rules that were
 * overridden.
 */
export function Why({ reading, explained, rulesVersion }: WhyProps) {
  if (reading === undefined) return <p className="muted">No screen was read for this.</p>;
  const status = statusOfState(reading.state);
  const newer = newerText(explained?.agent?.harnessVersion, explained?.rules?.recordedWith);
  return (
    <div className="why">
      <p className="why-state">
        <span className="agent-status" data-kind={status.kind}>
          {status.word}
        </span>
        {reading.reason !== '' && <span>{reading.reason}</span>}
        {reading.detail !== '' && <span className="muted">{reading.detail}</span>}
      </p>
      <dl className="facts">
        <div>
          <dt>Rule</dt>
          <dd>{reading.rule === '' || reading.rule === 'none' ? 'none decided' : <code>{reading.rule}</code>}</dd>
        </div>
        {reading.evidence.length > 0 && (
          <div>
            <dt>Evidence</dt>
            <dd>
              <ul className="evidence-texts">
                {reading.evidence.map((row, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: equal rows keep their order
                  <li key={at}>
                    <code>{row.trim()}</code>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
        {explained !== undefined && (
          <div>
            <dt>Rejected rules</dt>
            <dd>
              {explained.lost.length === 0 && <span className="muted">no other rule nearly matched</span>}
              <ul className="lost-rules">
                {explained.lost.map(({ rule, why }) => (
                  <li key={`${rule} ${why}`}>
                    <code>{rule}</code> <span className="muted">{why}</span>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
        {rulesVersion !== '' && (
          <div>
            <dt>Rules</dt>
            <dd>
              <code>{rulesVersion.slice(0, 12)}</code> {explained?.rules?.file && <code>{explained.rules.file}</code>}
              {newer !== '' && <span className="muted"> {newer}</span>}
            </dd>
          </div>
        )}
      </dl>
      {explained?.decidedBeyond && (
        <p>
          The agent counts as {explained.agent && statusOfState(explained.agent.state).word}, because{' '}
          {explained.decidedBeyond}.
        </p>
      )}
      {explained?.difference && <p className="muted">{explained.difference}</p>}
    </div>
  );
}
