import type { Descriptors } from '../descriptors.ts';
import type { HandlerOptions } from '../handlers.ts';
import type { Toolbox } from './tool.ts';

/** What MCP is served from. */
export interface McpService extends HandlerOptions {
  readonly descriptors: Descriptors;
  readonly tools: Toolbox;
}
