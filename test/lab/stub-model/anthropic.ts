import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Heard, ModelRequest } from './model-request.ts';
import { offeredTool, Parameters } from './offered.ts';
import type { Api, Send, Voice } from './voice.ts';

const Block = z.object({ type: z.string(), text: z.string().optional(), content: z.unknown().optional() });
const Body = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(Block)]) })),
  tools: z
    .array(
      z.object({
        name: z.string(),
        input_schema: Parameters.optional(),
      }),
    )
    .default([]),
});

/** Anthropic Messages, as Claude Code speaks it. */
export const anthropic: Api = {
  path: /\/v1\/messages$/,
  read(body): ModelRequest {
    const { model, messages, tools } = Body.parse(body);
    return {
      model,
      heard: messages.filter(({ role }) => role === 'user').flatMap(({ content }) => heardIn(content)),
      tools: tools.map((tool) => offeredTool(tool.name, tool.input_schema)),
    };
  },
  voice: (send, { model }) => new AnthropicVoice(send, model),
};

function heardIn(content: z.infer<typeof Body>['messages'][number]['content']): Heard[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return content.flatMap(({ type, text, content: given }): Heard[] => {
    if (type === 'tool_result') return [{ kind: 'result', text: JSON.stringify(given) }];
    return text === undefined ? [] : [{ kind: 'text', text }];
  });
}

class AnthropicVoice implements Voice {
  readonly #send: Send;
  readonly #model: string;
  #index = -1;
  #kind: 'text' | 'thought' = 'text';
  #called = false;

  constructor(send: Send, model: string) {
    this.#send = send;
    this.#model = model;
  }

  begin(): void {
    const usage = { input_tokens: 1200, output_tokens: 1 };
    const head = { type: 'message', role: 'assistant', content: [], stop_reason: null, stop_sequence: null, usage };
    // Claude Code takes messages of one id for parts of one, and puts what came in between behind them.
    const id = `msg_stub${randomUUID()}`;
    this.#tell('message_start', { message: { id, model: this.#model, ...head } });
  }

  open(kind: 'text' | 'thought'): void {
    this.#kind = kind;
    this.#openBlock(kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' });
  }

  piece(text: string): void {
    this.#delta(this.#kind === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text });
  }

  close(): void {
    if (this.#kind === 'thought') this.#delta({ type: 'signature_delta', signature: 'c3R1Yg==' });
    this.#tell('content_block_stop', { index: this.#index });
  }

  call(tool: string, input: Readonly<Record<string, unknown>>): void {
    this.#called = true;
    this.#openBlock({ type: 'tool_use', id: `toolu_stub${Date.now()}`, name: tool, input: {} });
    this.#delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) });
    this.#tell('content_block_stop', { index: this.#index });
  }

  end(): void {
    const delta = { stop_reason: this.#called ? 'tool_use' : 'end_turn', stop_sequence: null };
    this.#tell('message_delta', { delta, usage: { output_tokens: 40 } });
    this.#tell('message_stop', {});
  }

  #openBlock(block: object): void {
    this.#index += 1;
    this.#tell('content_block_start', { index: this.#index, content_block: block });
  }

  #delta(delta: object): void {
    this.#tell('content_block_delta', { index: this.#index, delta });
  }

  #tell(type: string, data: object): void {
    this.#send(type, { type, ...data });
  }
}
