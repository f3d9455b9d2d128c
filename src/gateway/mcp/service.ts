import type { Descriptors } from '#gateway/proto/descriptors.ts';
import type { HandlerOptions } from '#gateway/rpc/answer.ts';
import type { SharedReadings } from './shared-readings.ts';
import type { Toolbox } from './tool.ts';

/** The dependencies of MCP requests. */
export interface McpService extends HandlerOptions {
  readonly descriptors: Descriptors;
  readonly tools: () => Toolbox;
  readonly readings: SharedReadings;
}
