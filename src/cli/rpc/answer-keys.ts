import type { Key } from '#contract/key.ts';
import { listedOperation } from './listed-operation.ts';

/** The keys that may be pressed in a pane, as the contract's listing names them: its schemas take long to load. */
export function answerKeys(): readonly Key[] {
  const { fields } = listedOperation('agent.v1.AgentService/AnswerAgent');
  const { type } = fields.find(({ path }) => path[0] === 'keys') ?? {};
  return type?.kind === 'enum' ? type.choices.map(({ value }) => value as Key) : [];
}

/** The key of a name; undefined if none may be pressed by that name. */
export function answerKey(name: string): Key | undefined {
  return answerKeys().find((key) => key === name);
}
