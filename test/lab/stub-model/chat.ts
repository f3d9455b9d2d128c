import { z } from 'zod';
import type { Heard, ModelRequest } from './model-request.ts';
import { offeredTool, Parameters } from './offered.ts';
import type { Api, Send, Voice } from './voice.ts';

const Content = z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish();
const Body = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: Content })),
  tools: z
    .array(
      z.union([
        z.object({ function: z.object({ name: z.string(), parameters: Parameters.optional() }) }),
        // One that takes free text in place of JSON, as copilot has.
        z.object({ custom: z.object({ name: z.string() }) }),
      ]),
    )
    .default([]),
});

/** Chat Completions, as opencode speaks it to a provider of its configuration. */
export const chat: Api = {
  path: /\/chat\/completions$/,
  read(body): ModelRequest {
    const { model, messages, tools } = Body.parse(body);
    return {
      model,
      heard: messages.flatMap(({ role, content }): Heard[] => {
        if (role === 'tool') return [{ kind: 'result', text: textsOf(content).join('') }];
        return role === 'user' ? textsOf(content).map((text) => ({ kind: 'text', text })) : [];
      }),
      tools: tools.flatMap((tool) =>
        'function' in tool ? [offeredTool(tool.function.name, tool.function.parameters)] : [],
      ),
    };
  },
  voice: (send, { model }) => new ChatVoice(send, model),
};

function textsOf(content: z.infer<typeof Content>): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).flatMap(({ text }) => text ?? []);
}

class ChatVoice implements Voice {
  readonly #send: Send;
  readonly #model: string;
  #field: 'content' | 'reasoning_content' = 'content';
  #calls = 0;

  constructor(send: Send, model: string) {
    this.#send = send;
    this.#model = model;
  }

  begin(): void {
    this.#tell({ role: 'assistant' });
  }

  open(kind: 'text' | 'thought'): void {
    this.#field = kind === 'text' ? 'content' : 'reasoning_content';
  }

  piece(text: string): void {
    this.#tell({ [this.#field]: text });
  }

  close(): void {}

  call(tool: string, input: Readonly<Record<string, unknown>>): void {
    const call = { name: tool, arguments: JSON.stringify(input) };
    const id = `call_stub${Date.now()}`;
    this.#tell({ tool_calls: [{ index: this.#calls, id, type: 'function', function: call }] });
    this.#calls += 1;
  }

  end(): void {
    this.#tell({}, this.#calls > 0 ? 'tool_calls' : 'stop');
    this.#send(undefined, '[DONE]');
  }

  #tell(delta: object, finish: string | null = null): void {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    this.#send(undefined, {
      id: 'chatcmpl-stub',
      object: 'chat.completion.chunk',
      created: 0,
      model: this.#model,
      choices,
    });
  }
}
