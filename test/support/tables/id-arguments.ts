import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  Kind,
  parse,
  type DefinitionNode,
  type InputObjectTypeDefinitionNode,
  type InputValueDefinitionNode,
  type TypeNode,
} from 'graphql';

/** An argument of a mutation, or a field of an input in it, by which a client refers to a record. */
export interface IdArgument {
  mutation: string;
  /** `input`, `origins`, `streamerId`: as the variables nest; lists have no step of their own. */
  path: readonly string[];
}

const root = join(import.meta.dirname, '../../..');

const definitions: readonly DefinitionNode[] = globSync('subgraphs/*/src/*/schema.graphql', { cwd: root })
  .toSorted()
  .flatMap((file) => parse(readFileSync(join(root, file), 'utf8')).definitions);

const inputs: ReadonlyMap<string, InputObjectTypeDefinitionNode> = new Map(
  definitions.flatMap((definition) =>
    definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION ? [[definition.name.value, definition] as const] : [],
  ),
);

const nameOf = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type));

/** By its type, or by its name where the documents call it a string. */
const refers = (name: string, type: string): boolean =>
  type === 'ID' || (type === 'String' && /(Id|No|^role)$/.test(name));

function within({ name, type }: InputValueDefinitionNode, before: readonly string[]): string[][] {
  const path = [...before, name.value];
  if (path.length > 8) throw new Error(`an input within itself: ${path.join('.')}`);
  const named = nameOf(type);
  if (refers(name.value, named)) return [path];
  return (inputs.get(named)?.fields ?? []).flatMap((field) => within(field, path));
}

/** Every argument by which a mutation refers to a record, of every subgraph. */
export const idArguments: readonly IdArgument[] = definitions.flatMap((definition) =>
  (definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION) &&
  definition.name.value === 'Mutation'
    ? (definition.fields ?? []).flatMap(({ name, arguments: given = [] }) =>
        given.flatMap((argument) => within(argument, []).map((path) => ({ mutation: name.value, path }))),
      )
    : [],
);
