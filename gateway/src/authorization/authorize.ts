import {
  isListType,
  isNonNullType,
  Operation,
  type OperationElement,
  type Selection,
  type SelectionSet,
  type Type,
} from '@apollo/federation-internals';
import { GraphQLError } from 'graphql';

import { typenameOf } from '../plan/without-excluded.ts';
import { conditionsOf, type Conditional } from '../plan/shape.ts';
import { holds } from '../plan/shape-response.ts';
import type { Lack } from './access.ts';
import type { Requirement, Requirements, Rule } from './requirements.ts';

/** An operation without what its caller may not see. */
export interface Authorized {
  operation: Operation;
  /** The fields and fragments that were removed from the requested operation. */
  denied: ReadonlySet<OperationElement>;
  /** An error for each of them, except for those that the variables leave out. */
  errorsFor(variables: Readonly<Record<string, unknown>>): readonly GraphQLError[];
}

/** All requirements that decide about an operation. */
export function requirementsIn(requested: Operation, requirements: Requirements): readonly Requirement[] {
  const found = new Set<Requirement>();
  walk(requested.selectionSet.expandFragments(), [], (selection) => {
    const { all, oneOf } = ruleOf(selection, requirements);
    for (const requirement of [...all, ...oneOf]) found.add(requirement);
    return true;
  });
  return [...found];
}

/**
 * Removes fields and fragments whose requirements are not met, and what is empty without them: nothing of it is planned
 * or sent to a subgraph.
 *
 * @param lackOf what the caller lacks for a requirement
 * @returns undefined when the caller may see everything
 */
export function authorize(
  requested: Operation,
  requirements: Requirements,
  lackOf: (requirement: Requirement) => Lack | undefined,
): Authorized | undefined {
  const denied = new Set<OperationElement>();
  const removals: Removal[] = [];
  const expanded = requested.selectionSet.expandFragments();
  walk(expanded, [], (selection, path, conditions) => {
    const lack = firstLack(ruleOf(selection, requirements), lackOf);
    if (!lack) return true;
    denied.add(selection.element);
    removals.push({ path, lack, conditions });
    return false;
  });
  if (denied.size === 0) return undefined;
  const rest = without(denied, expanded);
  const { rootKind, variableDefinitions, name, appliedDirectives } = requested;
  const schema = requested.schema();
  return {
    operation: new Operation(schema, rootKind, rest, variableDefinitions, undefined, name, appliedDirectives),
    denied,
    errorsFor(variables) {
      const requestedOnes = removals.filter((removal) => holds(removal, variables));
      const byPath = new Map(requestedOnes.map((removal) => [removal.path.join('/'), removal]));
      return [...byPath.values()].map(unauthorized);
    },
  };
}

/** The selections without the denied ones, and without fields of which nothing is left. */
function without(denied: ReadonlySet<OperationElement>, set: SelectionSet): SelectionSet {
  return set.lazyMap((selection) => {
    if (denied.has(selection.element)) return undefined;
    if (!selection.selectionSet) return selection;
    const rest = without(denied, selection.selectionSet);
    if (rest === selection.selectionSet) return selection;
    if (!rest.isEmpty()) return selection.withUpdatedSelectionSet(rest);
    const mayBeWanted = selection.kind === 'FieldSelection' && isConditional(selection.selectionSet);
    return mayBeWanted ? selection.withUpdatedSelectionSet(typenameOf(selection)) : undefined;
  });
}

/** Whether variables decide what is selected: then the object itself is wanted, whatever they leave of it. */
const isConditional = (set: SelectionSet): boolean =>
  set
    .selections()
    .some(
      ({ element, selectionSet }) =>
        conditionsOf(set.parentType.schema(), element).length > 0 || (selectionSet && isConditional(selectionSet)),
    );

interface Removal extends Conditional {
  path: readonly string[];
  lack: Lack;
}

type Conditions = Conditional['conditions'];

/** @param visit returns whether to go on within a selection */
function walk(
  set: SelectionSet,
  path: readonly string[],
  visit: (selection: Selection, path: readonly string[], conditions: Conditions) => boolean,
  conditions: Conditions = [],
): void {
  for (const selection of set.selections()) {
    const here = [...path, ...stepOf(selection)];
    const under = [...conditions, ...conditionsOf(set.parentType.schema(), selection.element)];
    if (!visit(selection, here, under) || !selection.selectionSet) continue;
    walk(selection.selectionSet, [...here, ...listsAt(selection)], visit, under);
  }
}

/** As in the paths of Apollo's router: `@` stands for the items of a list. */
function stepOf(selection: Selection): string[] {
  if (selection.kind === 'FieldSelection') return [selection.element.responseName()];
  const { typeCondition } = selection.element;
  return typeCondition ? [`... on ${typeCondition.name}`] : [];
}

function listsAt(selection: Selection): string[] {
  if (selection.kind !== 'FieldSelection') return [];
  const lists: string[] = [];
  let type = selection.element.definition.type as Type;
  while (isListType(type) || isNonNullType(type)) {
    if (isListType(type)) lists.push('@');
    type = type.ofType as Type;
  }
  return lists;
}

type Needed = Pick<Rule, 'all' | 'oneOf'>;

const nothing: Needed = { all: [], oneOf: [] };

function ruleOf(selection: Selection, requirements: Requirements): Needed {
  if (selection.kind === 'FragmentSelection') {
    const { typeCondition } = selection.element;
    const needed = typeCondition && requirements.ofType(typeCondition.name);
    return needed ? { all: [needed], oneOf: [] } : nothing;
  }
  const { element, selectionSet } = selection;
  if (isIntrospection(selection)) return nothing;
  const { all, ofMembers, oneOf } = requirements.ofField(element.parentType.name, element.name);
  const asksForAnyMember = selectionSet?.selections().some((inner) => isField(inner) && !isIntrospection(inner));
  return asksForAnyMember ? { all: [...all, ...ofMembers], oneOf } : { all, oneOf };
}

const isField = ({ kind }: Selection): boolean => kind === 'FieldSelection';

const isIntrospection = (selection: Selection): boolean =>
  selection.kind === 'FieldSelection' && selection.element.name.startsWith('__');

function firstLack({ all, oneOf }: Needed, lackOf: (requirement: Requirement) => Lack | undefined): Lack | undefined {
  for (const requirement of all) {
    const lack = lackOf(requirement);
    if (lack) return lack;
  }
  const lacks = oneOf.map(lackOf);
  return lacks.includes(undefined) ? undefined : lacks[0];
}

const unauthorized = ({ path, lack }: Removal) =>
  new GraphQLError('Unauthorized field or type', {
    path,
    extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE', reason: lack },
  });
