import {
  isCompositeType,
  isCustomScalarType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isSubtype,
  isValidLeafValue,
  typenameFieldName,
  Variable,
  type CompositeType,
  type Field,
  type InputType,
  type Operation,
  type OperationElement,
  type OutputType,
  type Schema,
  type SelectionSet,
} from '@apollo/federation-internals';
import type { FieldNode } from 'graphql';

import { isData } from './data.ts';

/** A selection, with everything resolved that does not depend on the data. */
export type Selected = SelectedField | SelectedFragment;

export interface Conditional {
  /** Left out when any of these does not hold: `@skip` and `@include`. */
  conditions: readonly { is: boolean; variable?: string; wanted: boolean }[];
}

export interface SelectedField extends Conditional {
  kind: 'field' | 'typename' | 'introspection';
  responseName: string;
  /** Its name in the data of the plan. */
  inPlan: string;
  type: Shape;
  /** Variables in its arguments that may not be null there. */
  required: readonly string[];
  /** The caller may not see it: it is null. */
  denied: boolean;
  /** An introspection field. */
  introspection?: FieldNode;
}

export interface SelectedFragment extends Conditional {
  kind: 'fragment';
  selections: readonly Selected[];
  /** Whether the selection applies to objects of a type. */
  appliesTo(typename: string): boolean;
  condition: string | undefined;
}

/** A possible type of a field, and the selections on it. */
export type Shape =
  | { kind: 'nonNull'; of: Shape; name: string }
  | { kind: 'list'; of: Shape; name: string }
  | { kind: 'object'; selections: readonly Selected[]; name: string }
  | { kind: 'leaf'; isValid: (value: unknown) => boolean; name: string };

interface Options {
  /** The name of a field in the data of the plan. */
  inPlan(field: Field): string;
  /** What the caller may not see of the operation. */
  denied?: ReadonlySet<OperationElement>;
}

/** Resolves, once for an operation, everything that shaping its responses needs from schema and document. */
export function shapeOf(operation: Operation, { inPlan, denied = new Set() }: Options): readonly Selected[] {
  return selectionsOf({ schema: operation.schema(), inPlan, denied }, operation.selectionSet);
}

interface Needs extends Required<Options> {
  schema: Schema;
}

/**
 * Whether a variable is used where null is not allowed. Its own type may be nullable: then a default applies when the
 * variable or the argument is omitted.
 */
export function isRequired(variable: string, selections: readonly Selected[]): boolean {
  return selections.some((selection) => {
    if (selection.conditions.some((condition) => condition.variable === variable)) return true;
    if (selection.kind === 'fragment') return isRequired(variable, selection.selections);
    return selection.required.includes(variable) || isRequired(variable, selectionsWithin(selection.type));
  });
}

function selectionsWithin(shape: Shape): readonly Selected[] {
  if (shape.kind === 'object') return shape.selections;
  return shape.kind === 'leaf' ? [] : selectionsWithin(shape.of);
}

/** @param within whether the selections belong to a fragment that is denied */
function selectionsOf(needs: Needs, set: SelectionSet, within = false): Selected[] {
  const { schema } = needs;
  return set.selections().map((selection): Selected => {
    const conditions = conditionsOf(schema, selection.element);
    const denied = within || needs.denied.has(selection.element);
    if (selection.kind === 'FragmentSelection') {
      const condition = selection.element.typeCondition;
      return {
        kind: 'fragment',
        conditions,
        selections: selectionsOf(needs, selection.selectionSet, denied),
        appliesTo: membersOf(schema, condition),
        condition: condition?.name,
      };
    }
    const { element } = selection;
    const names = { responseName: element.responseName(), inPlan: needs.inPlan(element) };
    const required = Object.entries(element.args ?? {}).flatMap(([name, value]) =>
      requiredIn(element.definition.argument(name)?.type, value),
    );
    if (element.name === typenameFieldName) {
      return { kind: 'typename', conditions, ...names, required, type: anything, denied: false };
    }
    const type = shapeOfType(needs, element.definition.type as OutputType, selection.selectionSet);
    if (element.definition.isSchemaIntrospectionField()) {
      const introspection = selection.expandFragments().toSelectionNode();
      return { kind: 'introspection', conditions, ...names, required, type, denied: false, introspection };
    }
    return { kind: 'field', conditions, ...names, required, type, denied };
  });
}

const anything: Shape = { kind: 'leaf', isValid: () => true, name: '' };

/** The variables within an argument that are used where null is not allowed. */
function requiredIn(type: InputType | undefined, value: unknown): string[] {
  if (!type) return [];
  if (value instanceof Variable) return isNonNullType(type) ? [value.name] : [];
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.flatMap((item) => requiredIn(inner.ofType as InputType, item));
  }
  if (!isInputObjectType(inner) || !isData(value)) return [];
  return Object.entries(value).flatMap(([name, of]) => requiredIn(inner.field(name)?.type, of));
}

export function conditionsOf(schema: Schema, element: OperationElement): Conditional['conditions'] {
  const of = (directive: 'skip' | 'include') =>
    element
      .appliedDirectivesOf(directive === 'skip' ? schema.skipDirective() : schema.includeDirective())
      .slice(0, 1)
      .map((applied) => {
        const { if: value } = applied.arguments() as { if: boolean | Variable };
        const wanted = directive === 'include';
        return value instanceof Variable ? { is: false, variable: value.name, wanted } : { is: value, wanted };
      });
  return [...of('skip'), ...of('include')];
}

function membersOf(schema: Schema, condition: CompositeType | undefined): (typename: string) => boolean {
  if (!condition) return () => true;
  const known = new Map<string, boolean>();
  return (typename) => {
    const answer = known.get(typename);
    if (answer !== undefined) return answer;
    const type = schema.type(typename);
    const applies = type !== undefined && isSubtype(condition, type);
    if (type) known.set(typename, applies);
    return applies;
  };
}

function shapeOfType(needs: Needs, type: OutputType, set: SelectionSet | undefined): Shape {
  const name = String(type);
  if (isNonNullType(type)) return { kind: 'nonNull', of: shapeOfType(needs, type.ofType as OutputType, set), name };
  if (isListType(type)) return { kind: 'list', of: shapeOfType(needs, type.ofType as OutputType, set), name };
  if (isCompositeType(type)) return { kind: 'object', selections: set ? selectionsOf(needs, set) : [], name };
  if (isCustomScalarType(type)) return { kind: 'leaf', isValid: () => true, name };
  if (isEnumType(type)) {
    const values = new Set<unknown>(type.values.map((value) => value.name));
    return { kind: 'leaf', isValid: (value) => values.has(value), name };
  }
  const validOf = (value: unknown) => isValidLeafValue(needs.schema, value, type);
  const [texts, booleans] = [validOf(''), validOf(true)]; // the type decides on all of them alike, and it is slow to ask
  const isValid = (value: unknown) =>
    typeof value === 'string' ? texts : typeof value === 'boolean' ? booleans : validOf(value);
  return { kind: 'leaf', isValid, name };
}
