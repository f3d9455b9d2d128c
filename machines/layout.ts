import type { Chart } from '#contract/chart.ts';
import agent from './charts/agent.json' with { type: 'json' };
import doorbell from './charts/doorbell.json' with { type: 'json' };
import firing from './charts/firing.json' with { type: 'json' };
import host from './charts/host.json' with { type: 'json' };
import reviewBatch from './charts/review-batch.json' with { type: 'json' };
import schedule from './charts/schedule.json' with { type: 'json' };
import sweep from './charts/sweep.json' with { type: 'json' };

/** The charts of the machines, as `npm run docs` laid them out, by the machine's name. */
const charts: Readonly<Record<string, Chart>> = {
  agent,
  doorbell,
  firing,
  host,
  'review-batch': reviewBatch,
  schedule,
  sweep,
};

/** The chart of a machine; undefined where there is none of that name. */
export function chartOf(name: string): Chart | undefined {
  return Object.hasOwn(charts, name) ? charts[name] : undefined;
}
