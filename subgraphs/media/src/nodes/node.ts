import { badInput, type InputError } from '@foyer/shared/errors';

import type { AddressProblem } from '@foyer/shared/http/addresses/address';
import type { AddressPolicy } from '@foyer/shared/http/addresses/address-policy';

/** The kind of a node; each has a table of its own. */
export type NodeKind = 'streamer' | 'cache' | 'load-balancer';

export interface NodeFields {
  name: string;
  host: string;
  httpPort: number;
  apiPort: number;
}

const NAME_LIMIT = 200;

/** What a caller is told of an address that a node can't have. */
export const problemWords: Record<AddressProblem, string> = {
  malformed: 'The host must be a host name or an IP address, and nothing else.',
  forbidden: 'A node may not be at this address.',
};

/**
 * Checks those fields of a node that are given.
 *
 * @returns the fields, normalized: the name trimmed, the host trimmed and in lower case
 * @throws {Refusal} `VALIDATION_FAILED`, naming every invalid field
 */
export function checkNode<Fields extends Partial<NodeFields>>(fields: Fields, addresses: AddressPolicy): Fields {
  const normalized = {
    ...fields,
    ...(fields.name !== undefined && { name: fields.name.trim() }),
    ...(fields.host !== undefined && { host: fields.host.trim().toLowerCase() }),
  };
  const errors: InputError[] = [];
  if (normalized.name !== undefined && (normalized.name === '' || normalized.name.length > NAME_LIMIT)) {
    errors.push({ path: 'name', message: `The name must have 1 to ${NAME_LIMIT} characters.` });
  }
  const problem = normalized.host === undefined ? undefined : addresses.problemOf(normalized.host);
  if (problem) errors.push({ path: 'host', message: problemWords[problem] });
  for (const path of ['httpPort', 'apiPort'] as const) {
    const port = normalized[path];
    if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
      errors.push({ path, message: 'A port is a whole number from 1 to 65535.' });
    }
  }
  if (errors.length > 0) throw badInput(errors);
  return normalized;
}
