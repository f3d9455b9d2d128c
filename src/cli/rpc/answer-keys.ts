import type { Key } from '#contract/key.ts';
import { listedOperation } from './listed-operation.ts';

/** The keys that may be pressed in a pane, from `operations.json`, because the contract's schemas are slow to load. */
export function answerKeys(): readonly Key[] {
  const { fields } = listedOperation('agent.v1.AgentService/AnswerAgent');
  const { type } = fields.find(({ path }) => path[0] === 'keys') ?? {};
  return type?.kind === 'enum' ? type.choices.map(({ value }) => value as Key) : [];
}

/** The key with a name; undefined if there is none. */
export function answerKey(name: string): Key | undefined {
  return answerKeys().find((key) => key === name);
}
