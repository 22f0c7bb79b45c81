import { readFileSync } from 'node:fs';

import { ConfigError } from '@foyer/shared/config/config';
import { parse } from 'graphql';
import { z } from 'zod';

const text = z.string('must be text');

/** A manifest of operations, as Apollo's persisted queries have it. */
const Manifest = z.object({
  operations: z.array(z.object({ id: text, body: text }, 'must be an object'), 'must be a list'),
});

/** A map of documents by id, as Relay writes it. */
const Documents = z.record(z.string(), text, 'must be an object');

const isManifest = (read: unknown) =>
  typeof read === 'object' && read !== null && 'operations' in read && typeof read.operations !== 'string';

/**
 * Reads a file of trusted documents: a manifest of operations, or a map of documents by id.
 *
 * @returns the documents by id
 * @throws {ConfigError} in one line: the file, the place in it and what is wrong there
 */
export function readTrustedDocuments(file: string): Map<string, string> {
  const read = parsed(file);
  const result = isManifest(read)
    ? Manifest.transform(({ operations }) =>
        operations.map(({ id, body }, at) => ({ id, body, place: `operations[${at}]` })),
      ).safeParse(read)
    : Documents.transform((documents) =>
        Object.entries(documents).map(([id, body]) => ({ id, body, place: z.core.toDotPath([id]) })),
      ).safeParse(read);
  if (!result.success) {
    const [issue] = result.error.issues;
    const place = z.core.toDotPath(issue?.path ?? []);
    throw unusable(file, `${place || 'it'} ${issue?.message ?? 'is not valid'}`);
  }
  const bodies = new Map<string, string>();
  for (const { id, body, place } of result.data) {
    if ((bodies.get(id) ?? body) !== body)
      throw unusable(file, `${place} has the id of another document: ${JSON.stringify(id)}`);
    const wrong = syntaxErrorOf(body);
    if (wrong) throw unusable(file, `${place} is no GraphQL document (${wrong})`);
    bodies.set(id, body);
  }
  return bodies;
}

function syntaxErrorOf(body: string): string | undefined {
  try {
    parse(body);
    return undefined;
  } catch (error) {
    return oneLine(error);
  }
}

function parsed(file: string): unknown {
  let json: string;
  try {
    json = readFileSync(file, 'utf8');
  } catch (error) {
    throw unusable(file, `it can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return JSON.parse(json);
  } catch (error) {
    throw unusable(file, `it is no JSON (${oneLine(error)})`);
  }
}

const unusable = (file: string, why: string) => new ConfigError(`TRUSTED_DOCUMENTS: ${file}: ${why}`);

const oneLine = (error: unknown) => (error as Error).message.replaceAll(/\s+/g, ' ');
