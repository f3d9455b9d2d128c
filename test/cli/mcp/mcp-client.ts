import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { clientOf, type Era } from '#test/gateway/mcp-client.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';
import { program } from '../command-line.ts';

/** A client whose server is `muster mcp`, started as its own program with nothing but the given environment. */
export async function connectOverStdio(era: Era, env: Readonly<Record<string, string>>): Promise<Client> {
  const client = clientOf(era);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env: { ...bareEnvironment(), ...env },
    stderr: 'inherit',
  });
  await client.connect(transport);
  return client;
}
