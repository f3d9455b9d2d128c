import { z } from 'zod';
import type { Heard, ModelRequest, OfferedTool } from './model-request.ts';
import { offeredTool, Parameters } from './offered.ts';
import type { Api, Send, Voice } from './voice.ts';

const Content = z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish();
const Callable = z.object({
  type: z.string(),
  name: z.string().optional(),
  parameters: Parameters.optional(),
});
/** Tools of one MCP server come as a namespace. */
const Tool = Callable.extend({ tools: z.array(Callable).optional() });
const Body = z.object({
  model: z.string(),
  input: z.array(
    z.object({
      type: z.string().optional(),
      role: z.string().optional(),
      content: Content,
      output: z.unknown().optional(),
    }),
  ),
  tools: z.array(Tool).default([]),
});

/** OpenAI Responses, as Codex speaks it. */
export const responses: Api = {
  path: /\/responses$/,
  read(body): ModelRequest {
    const { model, input, tools } = Body.parse(body);
    return {
      model,
      heard: input.flatMap(({ type, role, content, output }): Heard[] => {
        if (type?.endsWith('_output')) return [{ kind: 'result', text: JSON.stringify(output) }];
        return role === 'user' ? textsOf(content).map((text) => ({ kind: 'text', text })) : [];
      }),
      tools: tools.flatMap(({ tools: inside, ...tool }) =>
        inside === undefined ? [offered(tool)] : inside.map((one) => offered(one, tool.name)),
      ),
    };
  },
  voice: (send, request) => new ResponsesVoice(send, request),
};

/** A tool; one of a namespace is named with it, as `mcp__muster/list_agents`. */
function offered({ type, name = type, parameters }: z.infer<typeof Callable>, namespace?: string): OfferedTool {
  const tool = offeredTool(namespace === undefined ? name : `${namespace}/${name}`, parameters);
  return { ...tool, isText: type === 'custom' };
}

function textsOf(content: z.infer<typeof Content>): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).flatMap(({ text }) => text ?? []);
}

class ResponsesVoice implements Voice {
  readonly #send: Send;
  readonly #model: string;
  /** Tools that take one text. */
  readonly #textTools: readonly string[];
  readonly #output: object[] = [];
  #sequence = 0;
  #kind: 'text' | 'thought' = 'text';
  #text = '';

  constructor(send: Send, { model, tools }: ModelRequest) {
    this.#send = send;
    this.#model = model;
    this.#textTools = tools.filter(({ isText }) => isText === true).map(({ name }) => name);
  }

  begin(): void {
    this.#tell('response.created', { response: this.#response('in_progress') });
  }

  open(kind: 'text' | 'thought'): void {
    this.#kind = kind;
    this.#text = '';
    this.#tell('response.output_item.added', { output_index: this.#at, item: this.#item('in_progress') });
    if (kind === 'text')
      this.#tell('response.content_part.added', { ...this.#place, content_index: 0, part: this.#part });
    else this.#tell('response.reasoning_summary_part.added', { ...this.#place, summary_index: 0, part: this.#part });
  }

  piece(text: string): void {
    // Codex shows the bold first line of a thought beside its spinner.
    const delta = this.#kind === 'thought' && this.#text === '' ? `**Considering the task**\n\n${text}` : text;
    this.#text += delta;
    if (this.#kind === 'text') this.#tell('response.output_text.delta', { ...this.#place, content_index: 0, delta });
    else this.#tell('response.reasoning_summary_text.delta', { ...this.#place, summary_index: 0, delta });
  }

  close(): void {
    if (this.#kind === 'text') {
      this.#tell('response.output_text.done', { ...this.#place, content_index: 0, text: this.#text });
    }
    this.#finish(this.#item('completed'));
  }

  call(tool: string, input: Readonly<Record<string, unknown>>): void {
    const [name, namespace] = tool.split('/').toReversed();
    const called = namespace === undefined ? { name } : { name, namespace };
    const callId = `call_stub${Date.now()}`;
    if (this.#textTools.includes(tool)) {
      const text = { id: 'ctc_stub', type: 'custom_tool_call', status: 'completed', call_id: callId, ...called };
      this.#tell('response.output_item.added', { output_index: this.#at, item: { ...text, input: '' } });
      this.#finish({ ...text, input: input['input'] });
      return;
    }
    const item = { id: 'fc_stub', type: 'function_call', call_id: callId, ...called };
    this.#tell('response.output_item.added', { output_index: this.#at, item: { ...item, arguments: '' } });
    this.#finish({ ...item, status: 'completed', arguments: JSON.stringify(input) });
  }

  end(): void {
    this.#tell('response.completed', { response: this.#response('completed') });
  }

  get #at(): number {
    return this.#output.length;
  }

  get #place(): object {
    return { item_id: `item_stub${this.#at}`, output_index: this.#at };
  }

  get #part(): object {
    return this.#kind === 'text'
      ? { type: 'output_text', text: this.#text, annotations: [] }
      : { type: 'summary_text', text: this.#text };
  }

  #item(status: string): object {
    const id = `item_stub${this.#at}`;
    const parts = this.#text === '' ? [] : [this.#part];
    return this.#kind === 'text'
      ? { id, type: 'message', status, role: 'assistant', content: parts }
      : { id, type: 'reasoning', summary: parts };
  }

  #finish(item: object): void {
    this.#tell('response.output_item.done', { output_index: this.#at, item });
    this.#output.push(item);
  }

  #response(status: string): object {
    const usage = { input_tokens: 1200, output_tokens: 40, total_tokens: 1240 };
    const about = { id: 'resp_stub', object: 'response', created_at: 0, model: this.#model, status };
    return { ...about, output: this.#output, error: null, ...(status === 'completed' && { usage }) };
  }

  #tell(type: string, data: object): void {
    this.#send(type, { type, sequence_number: this.#sequence, ...data });
    this.#sequence += 1;
  }
}
