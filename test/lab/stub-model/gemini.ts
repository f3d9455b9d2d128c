import { z } from 'zod';
import type { Heard, ModelRequest } from './model-request.ts';
import { offeredTool, Parameters } from './offered.ts';
import type { Api, Send, Voice } from './voice.ts';

const Parts = z.array(z.object({ text: z.string().optional(), functionResponse: z.unknown().optional() }));
const Declaration = z.object({
  name: z.string(),
  parametersJsonSchema: Parameters.optional(),
});
const Body = z.object({
  contents: z.array(z.object({ role: z.string().optional(), parts: Parts.default([]) })),
  tools: z.array(z.object({ functionDeclarations: z.array(Declaration).default([]) })).default([]),
});

/** Gemini's own API, as Gemini CLI speaks it. */
export const gemini: Api = {
  path: /:streamGenerateContent$/,
  read(body, path): ModelRequest {
    const { contents, tools } = Body.parse(body);
    return {
      model: /models\/([^:]+)/.exec(path)?.[1] ?? '',
      heard: contents.filter(({ role }) => role !== 'model').flatMap(({ parts }) => heardIn(parts)),
      tools: tools
        .flatMap(({ functionDeclarations }) => functionDeclarations)
        .map(({ name, parametersJsonSchema }) => offeredTool(name, parametersJsonSchema)),
    };
  },
  voice: (send, { model }) => new GeminiVoice(send, model),
};

/** The same for answers at once: it asks so for the summary of a conversation that it resumes. */
export const geminiWhole: Api = {
  ...gemini,
  path: /:generateContent$/,
  isWhole: true,
  voice: (send, { model }) => new WholeVoice(send, model),
};

function heardIn(parts: z.infer<typeof Parts>): Heard[] {
  return parts.flatMap(({ text, functionResponse }): Heard[] => {
    if (functionResponse !== undefined) return [{ kind: 'result', text: JSON.stringify(functionResponse) }];
    return text === undefined ? [] : [{ kind: 'text', text }];
  });
}

class GeminiVoice implements Voice {
  readonly #send: Send;
  readonly #model: string;
  #kind: 'text' | 'thought' = 'text';

  constructor(send: Send, model: string) {
    this.#send = send;
    this.#model = model;
  }

  begin(): void {}

  open(kind: 'text' | 'thought'): void {
    this.#kind = kind;
  }

  piece(text: string): void {
    this.#tell(this.#kind === 'text' ? { text } : { text: `**Considering the task** ${text}`, thought: true });
  }

  close(): void {}

  call(tool: string, input: Readonly<Record<string, unknown>>): void {
    this.#tell({
      functionCall: { id: `call_stub${Date.now()}`, name: tool, args: input },
      thoughtSignature: 'c3R1Yg==',
    });
  }

  end(): void {
    this.#tell({ text: '' }, 'STOP');
  }

  #tell(part: object, finishReason?: string): void {
    this.#send(undefined, answered(this.#model, [part], finishReason));
  }
}

/** Says everything in one answer. */
class WholeVoice implements Voice {
  readonly #send: Send;
  readonly #model: string;
  readonly #parts: object[] = [];

  constructor(send: Send, model: string) {
    this.#send = send;
    this.#model = model;
  }

  begin(): void {}

  open(): void {}

  piece(text: string): void {
    this.#parts.push({ text });
  }

  close(): void {}

  call(tool: string, input: Readonly<Record<string, unknown>>): void {
    this.#parts.push({ functionCall: { name: tool, args: input } });
  }

  end(): void {
    this.#send(undefined, answered(this.#model, this.#parts, 'STOP'));
  }
}

function answered(model: string, parts: readonly object[], finishReason: string | undefined): object {
  const candidate = { index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) };
  const usageMetadata = { promptTokenCount: 1200, candidatesTokenCount: 40, totalTokenCount: 1240 };
  return { candidates: [candidate], usageMetadata, modelVersion: model, responseId: 'stub' };
}
