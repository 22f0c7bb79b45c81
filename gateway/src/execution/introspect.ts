import {
  executeSync,
  Kind,
  OperationTypeNode,
  visit,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
} from 'graphql';

import type { Supergraph } from '../supergraph/supergraph.ts';
import type { SelectedField } from '../plan/shape.ts';

/** Answers an introspection field from the public schema. Its variables have been checked. */
export function introspect(
  { publicSchema }: Pick<Supergraph, 'publicSchema'>,
  operation: OperationDefinitionNode,
  { introspection, responseName }: SelectedField,
  variableValues: Record<string, unknown>,
): unknown {
  if (!introspection) return null;
  const document = documentOf(introspection, operation);
  const { data, errors } = executeSync({ schema: publicSchema, document, rootValue: {}, variableValues });
  if (errors?.[0]) throw errors[0];
  return data?.[responseName];
}

function documentOf(field: FieldNode, { variableDefinitions }: OperationDefinitionNode): DocumentNode {
  const used = new Set<string>();
  visit(field, { Variable: ({ name }) => void used.add(name.value) });
  return {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: OperationTypeNode.QUERY,
        variableDefinitions: (variableDefinitions ?? []).filter(({ variable }) => used.has(variable.name.value)),
        selectionSet: { kind: Kind.SELECTION_SET, selections: [field] },
      },
    ],
  };
}
