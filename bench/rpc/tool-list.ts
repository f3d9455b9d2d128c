import type { Caller } from '#contract/access/caller.ts';
import { operations, resources } from '#contract/table.ts';
import { toolbox } from '#gateway/mcp/tool.ts';
import { describeWires } from '#gateway/proto/descriptors.ts';
import { report } from '../stage/report.ts';

const callers: readonly Caller[] = [
  ...(['implementer', 'reviewer', 'orchestrator'] as const).map(
    (role) => ({ kind: 'agent', agentId: 'agt_1', role }) as const,
  ),
  { kind: 'person' },
];

/** Measures how much of an agent's context the list of tools uses. */
export async function benchToolList(): Promise<void> {
  const tools = toolbox(operations, describeWires(operations, resources));
  report(
    'the list of tools',
    'tools/list as JSON. One of its tokens has more than three bytes, and usually about four.',
    ['for', 'tools', 'bytes', 'tokens at most', 'tokens at 4 bytes'],
    callers.map((caller) => {
      const offered = tools.offeredTo(caller);
      const bytes = Buffer.byteLength(JSON.stringify(offered));
      const to = caller.kind === 'person' ? 'a person' : caller.role;
      return [to, String(offered.length), String(bytes), ...[3, 4].map((size) => Math.ceil(bytes / size).toFixed(0))];
    }),
  );
}
