import { type Command, Help, Option } from 'commander';
import { Failure } from '#contract/failure.ts';
import type { Field } from './field.ts';
import { takesFile } from './value.ts';

/** A given flag: its field, its name as typed, and its values in order. */
export interface ParsedFlag {
  readonly field: Field;
  readonly flag: string;
  readonly texts: readonly string[];
}

/** The flag of a field, such as `--pagination-page-size`. */
export function flagOf(field: Pick<Field, 'path' | 'shortName'>): string {
  return `--${namesOf(field)[0]}`;
}

/** Adds a flag for each field to a command, with help. */
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
 * The given flags, a message before its own fields.
 * @throws INVALID_ARGUMENT when a flag that takes one value is repeated
 */
export function givenFlags(command: Command, fields: readonly Field[]): ParsedFlag[] {
  return fields.flatMap((field) => {
    const names = new Set(optionsOf(field).map((option) => option.attributeName()));
    const texts = [...names].flatMap((name) => textsOf(command.getOptionValue(name)));
    if (texts.length > 1 && !field.list) {
      throw new Failure('INVALID_USAGE', `${flagOf(field)} takes one value, but ${texts.length} are given: keep one`);
    }
    return texts.length > 0 ? [{ field, flag: flagOf(field), texts }] : [];
  });
}

/** The name in the help, and its other spellings: with dashes and with dots. */
function namesOf({ path, shortName }: Pick<Field, 'path' | 'shortName'>): [string, ...string[]] {
  const [dashed, dotted] = [path.map(kebab).join('-'), path.map(kebab).join('.')];
  return shortName === undefined
    ? [dashed, ...(dotted === dashed ? [] : [dotted])]
    : [shortName, ...new Set([dashed, dotted])];
}

/** The option in the help, and hidden ones for the other spellings. */
function optionsOf(field: Field): [Option, ...Option[]] {
  const { type } = field;
  const optionNamed = (name: string): Option => {
    const option = new Option(`--${name} ${labelOf(field)}`, noteOf(field));
    if (type.kind === 'enum') option.choices(type.choices.map(({ short }) => short));
    if (type.kind === 'boolean') option.preset('true');
    return option.argParser(collect);
  };
  const [shown, ...others] = namesOf(field);
  const negated = type.kind === 'boolean' ? [shown, ...others].map((name) => new Option(`--no-${name}`)) : [];
  return [optionNamed(shown), ...others.map(optionNamed), ...negated];
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
  const meaning = field.meaning.replace(/\.$/, '');
  return [meaning, field.required && 'required', field.list && 'may be repeated'].filter(Boolean).join('; ');
}

function limitsOf(field: Field): string[] {
  const { type, max, pattern } = field;
  if (type.kind === 'boolean') return [`--no-${flagOf(field).slice(2)} sets it to false`];
  if (type.kind === 'enum') return [`one of ${type.choices.map(({ short }) => short).join(', ')}`];
  if (type.kind !== 'string') return [];
  return [
    ...(max === undefined ? [] : [`at most ${max} characters`]),
    ...(pattern === undefined ? [] : [`must match ${pattern}`]),
    ...(max !== undefined && takesFile(field) ? ['@path reads a file, - standard input'] : []),
  ];
}

/** A name of the contract in kebab case. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
