import { Operation, type Selection } from '@apollo/federation-internals';

/**
 * An operation without what it asks of the schema itself, for the planner: that throws on it within a fragment
 * with a condition. It is answered where the response is shaped.
 */
export function withoutIntrospection(operation: Operation): Operation {
  const { rootKind, variableDefinitions, name, appliedDirectives } = operation;
  const expanded = operation.selectionSet.expandFragments();
  const rest = expanded.filterRecursiveDepthFirst((selection) => !asksOfSchema(selection) && !isEmpty(selection));
  if (rest === expanded) return operation;
  return new Operation(operation.schema(), rootKind, rest, variableDefinitions, undefined, name, appliedDirectives);
}

const asksOfSchema = (selection: Selection): boolean =>
  selection.kind === 'FieldSelection' && selection.element.definition.isSchemaIntrospectionField();

/** A fragment of which nothing is left. */
const isEmpty = ({ selectionSet }: Selection): boolean => selectionSet?.isEmpty() === true;
