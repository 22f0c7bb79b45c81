import { badInput } from '@foyer/shared/errors';

const NAME_LIMIT = 200;
/** Some lists have no pages: all of their descriptions are in memory at once. */
const DESCRIPTION_LIMIT = 5_000;

/** Reads the name of something: 1 to 200 characters, without surrounding blanks. */
export function readName(text: string): string {
  const name = text.trim();
  if (name.length < 1 || name.length > NAME_LIMIT)
    throw badInput([{ path: 'name', message: 'A name has 1 to 200 characters.' }]);
  return name;
}

/** Reads a description: at most 5,000 characters. */
export function readDescription(text: string): string {
  if (text.length > DESCRIPTION_LIMIT)
    throw badInput([{ path: 'description', message: 'A description has at most 5,000 characters.' }]);
  return text;
}

/** The changes of a name and a description: fields that are not given stay. */
export const changesOf = (input: { name?: string | null | undefined; description?: string | null | undefined }) => ({
  ...(typeof input.name === 'string' && { name: readName(input.name) }),
  ...(typeof input.description === 'string' && { description: readDescription(input.description) }),
});
