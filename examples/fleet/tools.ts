import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/**
 * muster's operations as MCP tools: what an agent's own CLI has. In an agent's pane they act as that agent, else as the
 * person.
 */
export interface Tools {
  /** Calls a tool and returns its answer. Throws an Error with the refusal's code and message. */
  call<Answer = Record<string, unknown>>(name: string, args?: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

interface Refusal {
  readonly code?: string;
  readonly message?: string;
}

/** Starts `muster mcp` and connects to it. */
export async function connectTools(): Promise<Tools> {
  const muster = fileURLToPath(new URL('../../bin/muster.mjs', import.meta.url));
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
  const client = new Client({ name: 'muster-example', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [muster, 'mcp'],
      env: env as Record<string, string>,
      stderr: 'ignore',
    }),
  );
  return {
    async call<Answer>(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
      const { isError, structuredContent } = await client.callTool({ name, arguments: args });
      if (!isError) return (structuredContent ?? {}) as Answer;
      const { code = 'unknown', message = 'no reason was given' } = (structuredContent ?? {}) as Refusal;
      throw new Error(`${name}: ${code}: ${message}`);
    },
    close: () => client.close(),
  };
}
