import type { Chart } from '#contract/machine/chart.ts';
import agent from '#machines/charts/agent.json' with { type: 'json' };
import doorbell from '#machines/charts/doorbell.json' with { type: 'json' };
import firing from '#machines/charts/firing.json' with { type: 'json' };
import host from '#machines/charts/host.json' with { type: 'json' };
import reviewBatch from '#machines/charts/review-batch.json' with { type: 'json' };
import schedule from '#machines/charts/schedule.json' with { type: 'json' };
import sweep from '#machines/charts/sweep.json' with { type: 'json' };

/** The charts of the machines, as laid out by `npm run docs`, by the machine's name. */
const charts: Readonly<Record<string, Chart>> = {
  agent,
  doorbell,
  firing,
  host,
  'review-batch': reviewBatch,
  schedule,
  sweep,
};

/** The chart of a machine; undefined if there is no machine with that name. */
export function chartOf(name: string): Chart | undefined {
  return Object.hasOwn(charts, name) ? charts[name] : undefined;
}
