import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage.ts';

const prices = [
  "import type { Rate } from './rate.ts';",
  '',
  '/** A price in whole cents, as it is billed. */',
  'export function round(price: number): number {',
  '  return Math.round(price * 100) / 100;',
  '}',
  '',
  'export function gross(net: number, rate: Rate): number {',
  '  return round(net * (1 + rate.share));',
  '}',
  '',
  'export function sumOf(nets: readonly number[], rate: Rate): number {',
  '  return nets.reduce((sum, net) => sum + gross(net, rate), 0);',
  '}',
  '',
].join('\n');
const rate = 'export interface Rate {\n  readonly country: string;\n  readonly share: number;\n}\n';

/** Two rounds of a review: the second has some of the changes requested in the first. */
export async function discuss({ call }: Stage, agentId: string): Promise<void> {
  const { agent } = await call<{ agent: { agent: { cwd: string } } }>('GetAgent', { agentId });
  const { cwd } = agent.agent;
  const comment = (newStart: number, newEnd: number, body: string, suggestion: readonly string[] = []) => {
    const quotedLines = prices
      .split('\n')
      .slice(newStart - 1, newEnd)
      .map((line) => `+${line}`);
    return call('CreateReviewThread', {
      agentId,
      filePath: 'prices.ts',
      newStart,
      newEnd,
      quotedLines,
      body,
      suggestion,
    });
  };
  writeFileSync(join(cwd, 'prices.ts'), prices);
  writeFileSync(join(cwd, 'rate.ts'), rate);
  await call('StartReviewRound', { agentId });
  await comment(4, 6, 'Half a cent goes to the even cent by law, not always up.', [
    'export function round(price: number): number {',
    '  return toEven(price * 100) / 100;',
    '}',
  ]);
  await comment(13, 13, 'Round the sum once: rounded parts drift away from it.');
  const verdict = { verdict: 'REVIEW_VERDICT_CHANGES_REQUESTED', summary: 'Right shape. Two sums come out wrong.' };
  await call('ReleaseReview', { agentId, ...verdict });
  const better = prices.replace('Math.round(price * 100)', 'toEven(price * 100)');
  writeFileSync(join(cwd, 'prices.ts'), better.replace("rate.ts';", "rate.ts';\nimport { toEven } from './even.ts';"));
  writeFileSync(join(cwd, 'even.ts'), 'export const toEven = (value: number): number => value;\n');
  await call('StartReviewRound', { agentId });
}
