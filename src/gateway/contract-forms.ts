import { operations, resources } from '#contract/table.ts';
import { type Toolbox, toolbox } from './mcp/tool.ts';
import { type Descriptors, describeWires } from './proto/descriptors.ts';

let wires: Descriptors | undefined;
let tools: Toolbox | undefined;

/** The protobuf descriptors of the contract, made once per process. */
export function contractWires(): Descriptors {
  wires ??= describeWires(operations, resources);
  return wires;
}

/** The tools of the contract, made once per process, and only if somebody uses MCP. */
export function contractTools(): Toolbox {
  tools ??= toolbox(operations, contractWires());
  return tools;
}
