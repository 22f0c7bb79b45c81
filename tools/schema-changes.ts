import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/** What a schema change means for clients, in one sentence for each change. */
export interface SchemaChanges {
  /** A valid operation becomes invalid, or returns another type. */
  breaking: string[];
  /** Operations stay valid, but clients may receive something new, such as an enum value. */
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
