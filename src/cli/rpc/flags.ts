import { type Command, Help, Option } from 'commander';
import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { type Field, mostCharacters } from './field.ts';
import { takesFile } from './value.ts';

/** A flag that was given: its field, its name as a person writes it, and its texts in order. */
export interface GivenFlag {
  readonly field: Field;
  readonly flag: string;
  readonly texts: readonly string[];
}

/** `--pagination-page-size`, the flag of a field. */
export function flagOf({ path }: Pick<Field, 'path'>): string {
  return `--${path.map(kebab).join('-')}`;
}

/** Gives a command one flag for each field, and a help that says what each one takes. */
export function addFieldFlags(command: Command, fields: readonly Field[]): void {
  const fieldOf = new Map<Option, Field>();
  for (const field of fields) {
    const [shown, ...others] = optionsOf(field);
    fieldOf.set(shown, field);
    command.addOption(shown.helpGroup('Fields:'));
    for (const other of others) command.addOption(other.hideHelp());
  }
  const plain = new Help();
  command.configureHelp({
    optionDescription: (option) => {
      const field = fieldOf.get(option);
      return field === undefined
        ? plain.optionDescription(option)
        : [noteOf(field), ...limitsOf(field)].filter(Boolean).join('; ');
    },
  });
}

/**
 * The flags that were given, an outer message before its own fields.
 * @throws Failure `invalid_argument` where a flag that takes one value is repeated.
 */
export function givenFlags(command: Command, fields: readonly Field[]): GivenFlag[] {
  return fields.flatMap((field) => {
    const names = new Set(optionsOf(field).map((option) => option.attributeName()));
    const texts = [...names].flatMap((name) => textsOf(command.getOptionValue(name)));
    if (texts.length > 1 && !field.list) {
      throw new Failure('invalid_argument', `${flagOf(field)} takes one value and is given ${texts.length}: keep one`);
    }
    return texts.length > 0 ? [{ field, flag: flagOf(field), texts }] : [];
  });
}

/** The flag that help shows, and other spellings of it. */
function optionsOf(field: Field): [Option, ...Option[]] {
  const flag = flagOf(field);
  const shown = new Option(`${flag} ${labelOf(field)}`, noteOf(field));
  const spellings = field.path.length > 1 ? [new Option(`--${field.path.map(kebab).join('.')} ${labelOf(field)}`)] : [];
  for (const option of [shown, ...spellings]) {
    if (field.type.kind === 'enum') option.choices(field.type.choices.map(({ short }) => short));
    option.argParser(collect);
    if (field.type.kind === 'boolean') option.preset('true');
  }
  return field.type.kind === 'boolean'
    ? [shown, ...spellings, new Option(`--no-${flag.slice(2)}`)]
    : [shown, ...spellings];
}

function collect(text: string, earlier: unknown): string[] {
  return Array.isArray(earlier) ? [...earlier, text] : [text];
}

function textsOf(value: unknown): string[] {
  if (value === false) return ['false'];
  return Array.isArray(value) ? value.map(String) : [];
}

function labelOf({ type }: Field): string {
  if (type.kind === 'boolean') return '[true|false]';
  if (type.kind === 'enum') return '<name>';
  return type.kind === 'message' ? '<json>' : `<${type.kind}>`;
}

function noteOf(field: Field): string {
  return [field.required && 'required', field.list && 'may be repeated'].filter(Boolean).join('; ');
}

function limitsOf(field: Field): string[] {
  const { type, schema } = field;
  if (type.kind === 'boolean') return [`--no-${flagOf(field).slice(2)} sets it to false`];
  if (type.kind === 'enum') return [`one of ${type.choices.map(({ short }) => short).join(', ')}`];
  if (type.kind !== 'string') return [];
  const most = mostCharacters(schema);
  const { pattern } = z.toJSONSchema(schema);
  return [
    ...(most === undefined ? [] : [`at most ${most} characters`]),
    ...(pattern === undefined ? [] : [`must match ${pattern}`]),
    ...(most !== undefined && takesFile(field) ? ['@path reads a file, - standard input'] : []),
  ];
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
