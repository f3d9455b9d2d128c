import type { FileRegistry } from '@bufbuild/protobuf';
import type { HandlerOptions } from '../handlers.ts';
import type { Toolbox } from './tool.ts';

/** What MCP is served from. */
export interface McpService extends HandlerOptions {
  readonly registry: FileRegistry;
  readonly tools: Toolbox;
}
