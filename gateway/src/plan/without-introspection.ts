import { Operation, type Selection } from '@apollo/federation-internals';

/**
 * An operation without introspection fields, for the planner, which throws on them within a fragment with a condition. They
 * are answered where the response is shaped.
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

/** Whether nothing is left of a fragment. */
const isEmpty = ({ selectionSet }: Selection): boolean => selectionSet?.isEmpty() === true;
