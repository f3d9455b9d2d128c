import { type Field, fieldsOf } from '#cli/rpc/field.ts';
import { flagOf } from '#cli/rpc/flags.ts';
import { commandName, type Operation, pathOf, toolName } from '#contract/operation.ts';
import { shellWord } from '#world/shell-text.ts';

/** How long an example of a watch continues, in seconds. */
const watchSeconds = 1;

/** A call over each channel, as Markdown. */
export function exampleOf(row: Operation, request: object): string {
  const wait = row.watch === undefined ? {} : { timeoutSeconds: 5 };
  const call = { method: 'tools/call', params: { name: toolName(row), arguments: { ...request, ...wait } } };
  return [
    ...['```sh', curlOf(row, JSON.stringify(request)), '```'],
    ...['```json', JSON.stringify(call), '```'],
    ...['```sh', ['muster rpc', commandName(row), ...flagsOf(row, request)].join(' '), '```'],
  ].join('\n');
}

function curlOf(row: Operation, body: string): string {
  const address = `"$MUSTER_URL/${pathOf(row)}"`;
  const token = '-H "Authorization: Bearer $TOKEN"';
  if (row.watch === undefined) {
    return `curl -s ${address} \\\n  ${token} -H 'Content-Type: application/json' -d ${quoted(body)}`;
  }
  const curl = `curl -sN --max-time ${watchSeconds} ${address}`;
  return `frame ${quoted(body)} | ${curl} \\\n  ${token} -H 'Content-Type: application/connect+json' --data-binary @-`;
}

function flagsOf(row: Operation, request: object): string[] {
  return fieldsOf(row.request).flatMap((field) => {
    const value = field.path.reduce<unknown>(
      (inside, name) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, name) : undefined),
      request,
    );
    if (value === undefined || (field.type.kind === 'message' && !field.list)) return [];
    return (Array.isArray(value) ? value : [value]).map((one) => flag(field, one));
  });
}

function flag(field: Field, value: unknown): string {
  const { type } = field;
  const name = flagOf(field);
  if (value === true) return name;
  if (value === false) return name.replace(/^--/, '--no-');
  if (type.kind === 'enum') return `${name} ${type.choices.find((choice) => choice.value === value)?.short ?? value}`;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `${name}${text.startsWith('-') ? '=' : ' '}${quoted(text)}`;
}

/** A text quoted for a shell. */
function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : shellWord(text);
}
