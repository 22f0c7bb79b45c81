import { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
};

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a web address',
  uuid: 'a uuid',
  guid: 'a uuid',
  date: 'a date such as 2026-11-22',
  datetime: 'a time such as 2026-11-22T10:00:00Z',
};

const quantities: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', set: ' entries' };

/**
 * Describes what is wrong with a value in plain words that continue its name ("is missing", "must be text"). A schema with
 * a message of its own keeps it.
 */
export function inPlainWords(issue: Issue): string {
  if (issue.input === undefined || issue.input === null) return 'is missing'; // null counts as missing
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? 'of another kind'}`;
    case 'invalid_format':
      return formats[issue.format] ? `must be ${formats[issue.format]}` : 'is not in the right form';
    case 'invalid_value':
      if (issue['expected'] === 'stringbool') return 'must be true or false'; // besides a dozen spellings
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return atLeast(issue.origin, Number(issue.minimum), issue.inclusive ?? true);
    case 'too_big':
      return atMost(issue.origin, Number(issue.maximum), issue.inclusive ?? true);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`;
    default:
      return 'is not valid';
  }
}

function atLeast(origin: string, minimum: number, inclusive: boolean): string {
  const quantity = quantities[origin];
  if (quantity && minimum === 1) return 'must not be empty';
  if (quantity) return `must have at least ${minimum}${quantity}`;
  return inclusive ? `must be at least ${minimum}` : `must be more than ${minimum}`;
}

function atMost(origin: string, maximum: number, inclusive: boolean): string {
  const quantity = quantities[origin];
  if (quantity) return `must have at most ${maximum}${quantity}`;
  return inclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`;
}

z.config({ customError: inPlainWords }); // for every schema of the process
