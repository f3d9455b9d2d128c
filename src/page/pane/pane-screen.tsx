import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { AnswerKeys } from '#page/answer/answer-keys.tsx';
import { PromptBox } from '#page/answer/prompt-box.tsx';
import { failureText } from '#page/api/failure-text.ts';
import {
  type Agent,
  AgentState,
  type PaneReading,
  type PaneScreen as PaneScreenMessage,
  type WatchPaneResponse,
} from '#page/client/agent/v1/agent_pb.js';
import { AgentHead } from '#page/fleet/agent-head.tsx';
import { useAgent } from '#page/fleet/use-agent.ts';
import './pane.css';
import { usePane } from '#page/answer/use-pane.ts';
import { type PaneControl, usePaneControl } from './pane-control.ts';
import { TerminalScreen } from './terminal.tsx';
import { Timeline } from './timeline.tsx';
import { type History, readingOf, useHistory } from './use-history.ts';
import { usePaneKeys } from './use-pane-keys.ts';
import { Why } from './why.tsx';

const none: readonly string[] = [];
const route = getRouteApi('/agents/$agentId/pane');

/** The terminal of an agent, live or at one of its last transitions. */
export function PaneScreen() {
  const { agentId } = route.useParams();
  const { row, error } = useAgent(agentId);
  if (row?.agent !== undefined) return <Pane key={agentId} agent={row.agent} />;
  return <main className="empty">{error === null ? '…' : failureText(error)}</main>;
}

function Pane({ agent }: { readonly agent: Agent }) {
  const { id: agentId, name, alive } = agent;
  const [chosen, setChosen] = useState<number>();
  const { frame, problem } = usePane(agentId, alive);
  const taking = usePaneControl(agent);
  const history = useHistory(agent, frame?.reading?.rule ?? '', chosen);
  usePaneKeys({ agentId, chosen, taking, moves: history.ordinals, choose: setChosen });
  const shown = shownOf({ chosen, alive, frame, history });
  const isWaiting = alive && chosen === undefined && frame?.reading?.state === AgentState.WAITING && !taking.isHeld;
  return (
    <main className="pane" data-typing={taking.isTyping} data-past={shown.isPast}>
      <AgentHead agent={agent} here="pane">
        <TakeOver agent={agent} taking={taking} />
      </AgentHead>
      <div className="pane-side-by-side">
        <div className="pane-main">
          {taking.isTyping && (
            <p className="typing-bar" role="status">
              <b>You type into {name}.</b> Keys go to its terminal; muster types nothing there. <kbd>Shift</kbd>{' '}
              <kbd>Esc</kbd> gives the keys back to the page.
            </p>
          )}
          {shown.isPast && (
            <p className="past-bar" role="status">
              {chosen === undefined ? 'It has no window. This is its last screen' : 'As it was then'}
            </p>
          )}
          {problem !== undefined && !shown.isPast && (
            <p className="failure" role="alert">
              {problem}
            </p>
          )}
          {shown.screen === undefined ? (
            <p className="empty pane-terminal">
              {shown.isPast ? 'No screen is stored for this.' : 'Reading the screen …'}
            </p>
          ) : (
            <TerminalScreen
              name={name}
              screen={shown.screen}
              evidence={shown.reading?.evidence ?? none}
              onType={taking.isTyping ? taking.type : undefined}
              onLeave={taking.pause}
            />
          )}
          <Timeline moves={history.moves} chosen={chosen} onChoose={setChosen} />
        </div>
        <aside className="pane-aside" aria-label={`Why ${name} is in its state`}>
          {isWaiting && frame !== undefined && <AnswerKeys agentId={agentId} frame={frame} />}
          {alive && !taking.isHeld && <PromptBox agent={agent} />}
          <h2>Why</h2>
          <Why
            reading={shown.reading}
            explained={shown.isPast ? undefined : history.explained}
            rulesVersion={shown.isPast ? shown.rulesVersion : (history.explained?.rules?.version ?? '')}
          />
        </aside>
      </div>
    </main>
  );
}

interface DisplayedScreen {
  /** Whether it is an earlier screen, not the current one. */
  readonly isPast: boolean;
  readonly screen: PaneScreenMessage | undefined;
  readonly reading: PaneReading | undefined;
  readonly rulesVersion: string;
}

interface ScreenSources {
  readonly chosen: number | undefined;
  readonly alive: boolean;
  readonly frame: WatchPaneResponse | undefined;
  readonly history: History;
}

/** The screen of the selected transition; else the current or last known screen of the pane. */
function shownOf({ chosen, alive, frame, history }: ScreenSources): DisplayedScreen {
  const isPast = chosen !== undefined || !alive;
  if (chosen === undefined && frame !== undefined) {
    return { isPast, screen: frame.screen, reading: frame.reading, rulesVersion: '' };
  }
  const move = chosen === undefined ? history.newest : history.move;
  if (!isPast || move === undefined) return { isPast, screen: undefined, reading: undefined, rulesVersion: '' };
  return { isPast, screen: move.screen, reading: readingOf(move), rulesVersion: move.rulesVersion };
}

function TakeOver({ agent, taking }: { readonly agent: Agent; readonly taking: PaneControl }) {
  if (!agent.alive) return null;
  return (
    <>
      {!taking.isTyping && (
        <button
          type="button"
          className="button"
          id="take-over"
          aria-keyshortcuts="t"
          disabled={taking.isBusy}
          onClick={taking.begin}
        >
          {taking.isHeld ? 'Type into it' : 'Take over'} <kbd>t</kbd>
        </button>
      )}
      {taking.isTyping && (
        <button type="button" className="button" onClick={taking.pause}>
          Stop typing
        </button>
      )}
      {taking.isHeld && (
        <button type="button" className="button danger" disabled={taking.isBusy} onClick={taking.giveBack}>
          Give back
        </button>
      )}
    </>
  );
}
