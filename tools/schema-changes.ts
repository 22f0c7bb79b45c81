import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/** What another schema means for the clients of the one before, one plain sentence for each change. */
export interface SchemaChanges {
  /** An operation that was valid is refused, or gets another type. */
  breaking: string[];
  /** Every operation stays valid, but a client may get what it has not seen before: a new value of an enum. */
  dangerous: string[];
  safe: string[];
}

/** Compares two schemas, given as SDL. */
export async function schemaChanges(before: string, after: string): Promise<SchemaChanges> {
  const changes = await diff(buildSchema(before), buildSchema(after));
  const of = (wanted: CriticalityLevel) =>
    changes.filter(({ criticality }) => criticality.level === wanted).map(({ message }) => message);
  return {
    breaking: of(CriticalityLevel.Breaking),
    dangerous: of(CriticalityLevel.Dangerous),
    safe: of(CriticalityLevel.NonBreaking),
  };
}
