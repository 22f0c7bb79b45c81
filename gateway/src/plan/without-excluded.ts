import {
  baseType,
  Field,
  Operation,
  selectionSetOfElement,
  type CompositeType,
  type FieldSelection,
  type Selection,
  type SelectionSet,
  type Type,
} from '@apollo/federation-internals';

import { conditionsOf } from './shape.ts';

/**
 * An operation without what its text leaves out, such as `@include(if: false)`: below a condition on a variable the planner forgets
 * that, and plans it.
 */
export function withoutExcluded(operation: Operation): Operation {
  const { rootKind, variableDefinitions, name, appliedDirectives } = operation;
  const expanded = operation.selectionSet.expandFragments();
  const rest = without(expanded);
  if (rest === expanded) return operation;
  return new Operation(operation.schema(), rootKind, rest, variableDefinitions, undefined, name, appliedDirectives);
}

const without = (set: SelectionSet): SelectionSet =>
  set.lazyMap((selection) => {
    if (isExcluded(set, selection)) return undefined;
    if (!selection.selectionSet) return selection;
    const rest = without(selection.selectionSet);
    if (rest === selection.selectionSet) return selection;
    if (!rest.isEmpty()) return selection.withUpdatedSelectionSet(rest);
    return selection.kind === 'FieldSelection' ? selection.withUpdatedSelectionSet(typenameOf(selection)) : undefined;
  });

const isExcluded = ({ parentType }: SelectionSet, { element }: Selection): boolean =>
  conditionsOf(parentType.schema(), element).some(
    ({ variable, is, wanted }) => variable === undefined && is !== wanted,
  );

/** Selects nothing but the type name of the objects that a field returns. */
export function typenameOf({ element }: FieldSelection): SelectionSet {
  const type = baseType(element.definition.type as Type) as CompositeType;
  const typename = type.typenameField();
  if (!typename) throw new Error(`${type.name} has no type name`);
  return selectionSetOfElement(new Field(typename));
}
