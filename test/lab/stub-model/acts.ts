import type { ModelRequest, OfferedTool } from './model-request.ts';
import type { Part } from './part.ts';

const shells = [
  'Bash',
  'exec_command',
  'shell_command',
  'run_shell_command',
  'bash',
  'run_commands',
  'execute_command',
];
const writers = ['Write', 'apply_patch', 'write_file', 'write', 'create', 'editor', 'create_file', 'write_to_file'];
const askers = [
  'AskUserQuestion',
  'request_user_input',
  'ask_user',
  'ask_user_question',
  'question',
  'ask_question',
  'ask_followup_question',
];

/** Asks to run a shell command. */
export function shellCall({ tools }: ModelRequest, command: string): Part {
  const tool = toolOf(tools, shells);
  if (tool === undefined) return missing('shell', tools);
  if (tool.name === 'run_commands') return { kind: 'call', tool: tool.name, input: { commands: [command] } };
  const input = taken(tool, {
    description: 'Run a command',
    requires_approval: true,
    is_background: false,
    // Codex asks a person only where the model wants out of the sandbox.
    sandbox_permissions: 'require_escalated',
    justification: 'Do you want to run the command outside the sandbox?',
  });
  const [key] = taken(tool, { cmd: true })['cmd'] === true ? ['cmd'] : ['command'];
  return { kind: 'call', tool: tool.name, input: { [key ?? 'command']: command, ...input } };
}

/** Asks to write a file of a few lines. */
export function editCall({ tools }: ModelRequest, path: string): Part {
  const tool = toolOf(tools, writers) ?? toolOf(tools, shells);
  if (tool === undefined) return missing('tool that writes', tools);
  const body = 'export function add(a, b) {\n  return a + b;\n}\n\nconsole.log(add(1, 2));\n';
  const added = body.trimEnd().replaceAll(/^/gm, '+');
  const patch = `*** Begin Patch\n*** Add File: ${path.split('/').at(-1)}\n${added}\n*** End Patch`;
  // Codex takes such a command for the edit that it is.
  const command = `apply_patch <<'EOF'\n${patch}\nEOF\n`;
  if (shells.includes(tool.name)) {
    return { kind: 'call', tool: tool.name, input: taken(tool, { cmd: command, command }) };
  }
  const input = {
    input: patch,
    patchText: patch,
    command: 'create',
    path,
    file_path: path,
    filePath: path,
    content: body,
    file_text: body,
  };
  return { kind: 'call', tool: tool.name, input: tool.isText === true ? { input: patch } : taken(tool, input) };
}

/** Asks a person which of three things to take. */
export function askCall({ tools }: ModelRequest): Part {
  const tool = toolOf(tools, askers);
  if (tool === undefined) return missing('tool that asks', tools);
  const question = 'Which storage should it use?';
  const labels = ['Postgres', 'SQLite', 'Files'];
  const options = labels.map((label) => ({ label, description: `Keep everything in ${label}` }));
  const asked = taken(
    { name: tool.name, takes: tool.questionTakes ?? [] },
    { question, header: 'Storage', options, multiSelect: false, multiple: false, id: 'storage', type: 'choice' },
  );
  const schema = {
    type: 'object',
    properties: { storage: { type: 'string', title: 'Storage', enum: labels } },
    required: ['storage'],
  };
  const input = {
    questions: [asked],
    message: question,
    requestedSchema: schema,
    question,
    choices: labels,
    allow_freeform: true,
    options: labels,
  };
  return { kind: 'call', tool: tool.name, input: taken(tool, input) };
}

function toolOf(tools: readonly OfferedTool[], names: readonly string[]): OfferedTool | undefined {
  return names.map((name) => tools.find((tool) => tool.name === name)).find((tool) => tool !== undefined);
}

/** Those of the arguments that the tool takes. */
function taken({ takes }: OfferedTool, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => takes.includes(name)));
}

function missing(what: string, tools: readonly OfferedTool[]): Part {
  return { kind: 'text', text: `There is no ${what} among ${tools.map(({ name }) => name).join(', ')}.` };
}
