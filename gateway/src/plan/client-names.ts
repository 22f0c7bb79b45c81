import {
  isInterfaceType,
  isObjectType,
  Operation,
  typenameFieldName,
  type Directive,
  type Field,
  type Schema,
  type SelectionSet,
} from '@apollo/federation-internals';
import { parse, visit } from 'graphql';

import type { Path } from './places.ts';

/** Begins the names by which plans ask for what clients have given another field's name. */
const PREFIX = '_client_';

/**
 * Keeps what a client selects apart from the keys and the required fields that its plan needs. The planner does not: an alias such
 * as `{ me { id: about salary } }` would put a text of the client in the place of the key by which a subgraph is asked.
 */
export interface ClientNames {
  /** The name of a field in the data of its plan. */
  inPlan(field: Field): string;
  /** The operation with those names, for the planner; the same operation when none differs. */
  forPlan(operation: Operation): Operation;
}

export function clientNames(composed: Schema): ClientNames {
  const needed = neededFields(composed);

  function inPlan(field: Field): string {
    const name = field.responseName();
    if (name.startsWith(PREFIX)) return PREFIX + name;
    if (!needed.has(name) || field.definition.isSchemaIntrospectionField()) return name;
    // The same field with other arguments is another one, too.
    const isItself = field.name === name && !field.definition.hasArguments();
    return isItself ? name : PREFIX + name;
  }
  const rename = (set: SelectionSet): SelectionSet =>
    set.lazyMap((selection) => {
      const inner = selection.selectionSet && rename(selection.selectionSet);
      if (selection.kind === 'FragmentSelection') {
        return inner === selection.selectionSet || !inner ? selection : selection.withUpdatedSelectionSet(inner);
      }
      const { element } = selection;
      const name = inPlan(element);
      const renamed =
        name === element.responseName() ? selection : selection.withUpdatedElement(element.withUpdatedAlias(name));
      return inner === selection.selectionSet ? renamed : renamed.withUpdatedSelectionSet(inner);
    });

  return {
    inPlan,
    forPlan(operation) {
      const { rootKind, variableDefinitions, name, appliedDirectives } = operation;
      const expanded = operation.selectionSet.expandFragments();
      const renamed = rename(expanded);
      if (renamed === expanded) return operation;
      return new Operation(
        operation.schema(),
        rootKind,
        renamed,
        variableDefinitions,
        undefined,
        name,
        appliedDirectives,
      );
    },
  };
}

/** A path in the data of a plan with the names that the client knows. */
export const withClientNames = (path: Path): Path =>
  path.map((step) => (typeof step === 'string' && step.startsWith(PREFIX) ? step.slice(PREFIX.length) : step));

/** The names of all fields that are part of a key or required by another field, and of the type name that goes with them. */
function neededFields(composed: Schema): ReadonlySet<string> {
  const sets = composed
    .types()
    .flatMap((type) => [
      ...type.appliedDirectivesOf('join__type').map((applied) => applied.arguments()['key'] as unknown),
      ...(isObjectType(type) || isInterfaceType(type) ? type.fields() : [])
        .flatMap((field) => field.appliedDirectivesOf('join__field') as readonly Directive[])
        .map((applied) => applied.arguments()['requires'] as unknown),
    ]);
  const names = new Set<string>([typenameFieldName]);
  for (const fields of sets) {
    if (typeof fields === 'string') visit(parse(`{ ${fields} }`), { Field: ({ name }) => void names.add(name.value) });
  }
  return names;
}
