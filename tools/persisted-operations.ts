import { createHash } from 'node:crypto';

import { getOperationAST, parse, print, separateOperations } from 'graphql';

/** Apollo's manifest of persisted queries, which `TRUSTED_DOCUMENTS` takes as it is. */
interface Manifest {
  format: 'apollo-persisted-query-manifest';
  version: 1;
  operations: { id: string; name: string; type: string; body: string }[];
}

/**
 * Lists every operation of some documents, by name, each with the fragments that it needs.
 *
 * @param text of all documents: an operation may use a fragment of another file
 */
export function persistedOperations(text: string): Manifest {
  const operations = Object.entries(separateOperations(parse(text, { noLocation: true }))).map(([name, document]) => {
    const body = print(document);
    const type = getOperationAST(document)?.operation ?? 'query';
    return { id: createHash('sha256').update(body).digest('hex'), name, type, body };
  });
  return {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: operations.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  };
}
