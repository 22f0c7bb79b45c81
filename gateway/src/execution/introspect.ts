import { badInput } from '@foyer/shared/errors';
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
import { wrongVariable } from '@foyer/shared/graphql/variable-errors';
import type { SelectedField } from '../plan/shape.ts';

/**
 * Answers an introspection field from the public schema.
 *
 * @throws {Refusal} when a variable is null in a condition or an argument that needs a value
 */
export function introspect(
  { publicSchema }: Pick<Supergraph, 'publicSchema'>,
  operation: OperationDefinitionNode,
  { introspection, responseName }: SelectedField,
  variableValues: Record<string, unknown>,
): unknown {
  if (!introspection) return null;
  const document = documentOf(introspection, operation);
  const { data, errors } = executeSync({ schema: publicSchema, document, rootValue: {}, variableValues });
  if (errors?.[0]) throw badInput([wrongVariable(errors[0])]);
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
