import { badInput } from '@foyer/shared/errors';

const NAME_LIMIT = 200;

/** What people call something: 1 to 200 characters, without blanks around them. */
export function readName(text: string): string {
  const name = text.trim();
  if (name.length < 1 || name.length > NAME_LIMIT)
    throw badInput([{ path: 'name', message: 'A name has 1 to 200 characters.' }]);
  return name;
}

/** What is to change of a name and a description: what isn't given stays. */
export const changesOf = (input: { name?: string | null | undefined; description?: string | null | undefined }) => ({
  ...(typeof input.name === 'string' && { name: readName(input.name) }),
  ...(typeof input.description === 'string' && { description: input.description }),
});
