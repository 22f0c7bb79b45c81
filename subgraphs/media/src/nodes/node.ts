import { badInput, type InputError } from '@foyer/shared/errors';

import type { AddressPolicy } from '@foyer/shared/http/address-policy';
import { problemWords } from './refusals.ts';

/** What a node does; each kind has a table of its own. */
export type NodeKind = 'streamer' | 'cache' | 'load-balancer';

export interface NodeFields {
  name: string;
  host: string;
  httpPort: number;
  apiPort: number;
}

const NAME_LIMIT = 200;

/**
 * Checks what is said about a node, as far as it is said.
 *
 * @returns the same, tidied: no blanks around the name, the host in small letters
 * @throws {Refusal} `VALIDATION_FAILED`, naming every field that can't be used
 */
export function checkNode<Fields extends Partial<NodeFields>>(fields: Fields, addresses: AddressPolicy): Fields {
  const tidy = {
    ...fields,
    ...(fields.name !== undefined && { name: fields.name.trim() }),
    ...(fields.host !== undefined && { host: fields.host.trim().toLowerCase() }),
  };
  const errors: InputError[] = [];
  if (tidy.name !== undefined && (tidy.name === '' || tidy.name.length > NAME_LIMIT)) {
    errors.push({ path: 'name', message: `The name must have 1 to ${NAME_LIMIT} characters.` });
  }
  const problem = tidy.host === undefined ? undefined : addresses.problemOf(tidy.host);
  if (problem) errors.push({ path: 'host', message: problemWords[problem] });
  for (const path of ['httpPort', 'apiPort'] as const) {
    const port = tidy[path];
    if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
      errors.push({ path, message: 'A port is a whole number from 1 to 65535.' });
    }
  }
  if (errors.length > 0) throw badInput(errors);
  return tidy;
}
