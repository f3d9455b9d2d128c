import { z } from 'zod';
import type { OfferedTool } from './model-request.ts';

const Questions = z.object({ items: z.object({ properties: z.record(z.string(), z.unknown()) }) });

/** What a tool takes, as a JSON schema says it. */
export const Parameters = z.object({ properties: z.record(z.string(), z.unknown()).optional() });

/** A tool by its name and what its parameters say. */
export function offeredTool(name: string, parameters?: z.infer<typeof Parameters>): OfferedTool {
  const properties = parameters?.properties ?? {};
  const questions = Questions.safeParse(properties['questions']);
  return {
    name,
    takes: Object.keys(properties),
    questionTakes: questions.success ? Object.keys(questions.data.items.properties) : undefined,
  };
}
