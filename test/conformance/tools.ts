import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedProgram, type WantedPackage } from '#test/support/npm-package.ts';

/** What others have made to try a server with, in the versions that are known here. */
const packages = {
  /** The suite of the MCP project itself; the first version that knows 2026-07-28. It is 52 MB. */
  conformance: { name: '@modelcontextprotocol/conformance', version: '0.2.0-alpha.12', program: 'conformance' },
  /** Its inspector, which is also a command. It is 110 MB. */
  inspector: { name: '@modelcontextprotocol/inspector', version: '2.12.0', program: 'mcp-inspector' },
} as const satisfies Record<string, WantedPackage>;

const folder = fileURLToPath(new URL('../../.cache/conformance', import.meta.url));

/** The program of one of them, installed into `.cache/conformance` on first use. */
export function toolProgram(name: keyof typeof packages): Promise<string> {
  return installedProgram(packages[name], join(folder, name));
}
