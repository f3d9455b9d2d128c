import type { Schedule } from '#page/client/schedule/v1/schedule_pb.js';
import { WorkflowName } from '#page/fleet/names.tsx';
import { Fact } from '#page/panel/side-panel.tsx';
import { When } from '#page/parts/when.tsx';
import { missedWords, overlapWords, spanText, wordIn } from './words.ts';

/** The settings of a schedule. */
export function ScheduleFacts({ schedule }: { readonly schedule: Schedule }) {
  const { jitterSeconds, pauseAfterFailures: failures } = schedule;
  return (
    <dl className="facts">
      <Fact name="Cron">
        <code>{schedule.cron}</code>
      </Fact>
      <Fact name="Timezone">{schedule.timezone || 'the machine’s own'}</Fact>
      <Fact name="Workflow">
        <WorkflowName workflowId={schedule.workflowId} />
      </Fact>
      <Fact name="Missed times">
        {wordIn(missedWords, schedule.missed)}, up to {spanText(schedule.catchUpSeconds)} late
      </Fact>
      <Fact name="Overlap">{wordIn(overlapWords, schedule.overlap)}</Fact>
      <Fact name="Attempts">{schedule.maxAttempts}</Fact>
      <Fact name="Spread">{jitterSeconds > 0 && `over ${spanText(jitterSeconds)}`}</Fact>
      <Fact name="Pauses">{failures > 0 && `after ${failures} failed runs in a row`}</Fact>
      <Fact name="Its agents">{schedule.hideAgents && 'hidden from the list'}</Fact>
      <Fact name="Created">
        <When at={schedule.createdAt} />
      </Fact>
      <Fact name="Id">
        <code>{schedule.id}</code>
      </Fact>
    </dl>
  );
}
