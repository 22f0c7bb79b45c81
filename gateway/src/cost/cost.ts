import {
  baseType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  possibleRuntimeTypes,
  Variable,
  type CompositeType,
  type Directive,
  type FieldDefinition,
  type Operation,
  type Schema,
  type SelectionSet,
  type Type,
} from '@apollo/federation-internals';

import { inputWeights, type Given, type Variables } from './input-weights.ts';
import { own } from '../plan/data.ts';

const SPECIFICATION = 'https://specs.apollo.dev/cost';
/** The slicing arguments of a list without `@listSize`, and the fields of a connection that they size. */
const USUAL_ARGUMENTS = ['first', 'last', 'limit'];
const USUAL_FIELDS = ['edges', 'nodes', 'items'];

/** How long a list is: by `@listSize`, or by the conventions of connections. */
interface ListSize {
  assumedSize?: number | null;
  slicingArguments?: readonly string[] | null;
  sizedFields?: readonly string[] | null;
}

/** The cost of an operation with given variables; an object in a list counts once for each entry. */
export type Cost = (variables: Variables) => number;

/**
 * Reads `@cost` and `@listSize` of a supergraph (composition keeps them from Federation 2.9 on).
 * Without `@cost` an object costs 1, a scalar and an argument nothing, a mutation 10 more.
 *
 * @param listSize the assumed length of a list without `@listSize`
 */
export function costsOf(composed: Schema, listSize: number): (operation: Operation) => Cost {
  const named = (name: 'cost' | 'listSize') =>
    composed.coreFeatures?.getByIdentity(SPECIFICATION)?.directiveNameInSchema(name) ?? name;
  const names = { cost: named('cost'), listSize: named('listSize') };

  const inputs = inputWeights(composed, weightOf);

  return (operation) => {
    const root = operation.rootKind === 'mutation' ? 10 : 0;
    const whole = costOfSet(operation.selectionSet);
    const defaults = operation.collectDefaultedVariableValues();
    const weightsOf = inputs.ofVariables(operation);
    const cost: Cost = (given) => {
      const variables = { ...defaults, ...given };
      return root + whole({ variables, weights: weightsOf(variables) }, undefined);
    };
    if (operation.variableDefinitions.definitions().length > 0) return cost;
    const always = cost({});
    return () => always;
  };

  type Counted = (given: Given, sized: Sized | undefined) => number;

  function costOfSet(set: SelectionSet): Counted {
    const parts = set
      .selections()
      .map((selection): Counted =>
        selection.kind === 'FragmentSelection'
          ? costOfSet(selection.selectionSet)
          : costOfField(selection.element, selection.selectionSet),
      );
    return (given, sized) => parts.reduce((sum, part) => sum + part(given, sized), 0);
  }

  function costOfField(element: Element, set: SelectionSet | undefined): Counted {
    if (element.name.startsWith('__')) return () => 0;
    const measures = composedFields(element).map((definition) => measureOf(definition, element));
    const below = set ? costOfSet(set) : () => 0;
    return (given, sized) => {
      const found = measures.map((measure) => measure(given, sized));
      const most = (part: 'ofArguments' | 'length' | 'weight') => Math.max(...found.map((measured) => measured[part]));
      return most('ofArguments') + most('length') * (most('weight') + below(given, together(found)));
    };
  }

  /** Measures a field without what is selected below it. */
  function measureOf(definition: FieldDefinition<CompositeType>, { name, args = {} }: Element) {
    const size = listSizeOf(definition);
    const levels = listLevels(definition.type);
    const ofInnerLists = (size.assumedSize ?? listSize) ** Math.max(0, levels - 1);
    const weightOfArguments = inputs.ofArguments(definition);
    const weight = weightOf(definition) ?? weightOfType(definition);
    return (given: Given, sized: Sized | undefined): Measured => {
      const requested = requestedSize(size, definition, args, given.variables);
      const inherited = sized?.fields.includes(name) ? sized.size : undefined;
      const length = levels > 0 ? (larger(requested, inherited) ?? listSize) * ofInnerLists : 1;
      const within =
        levels === 0 && requested !== undefined ? { size: requested, fields: size.sizedFields ?? [] } : undefined;
      return { ofArguments: weightOfArguments(args, given), length, weight, within };
    };
  }

  /**
   * The field as the supergraph has it: the public schema does not carry directives. That of an interface stands for those of its
   * objects, which alone may have a weight; it costs what the dearest of them does.
   */
  function composedFields({ name, definition }: Element): readonly FieldDefinition<CompositeType>[] {
    const type = composed.type(definition.parent.name);
    if (!type || !isCompositeType(type) || !('field' in type)) return [definition];
    const found = type.field(name) ?? definition;
    if (!isInterfaceType(type)) return [found];
    const ofObjects = possibleRuntimeTypes(type).flatMap((object) => object.field(name) ?? []);
    return [found, ...ofObjects.filter(isDeclared)];
  }

  /** Whether the schema says what it costs. */
  function isDeclared(field: FieldDefinition<CompositeType>): boolean {
    const own = [field, ...field.arguments()];
    return own.some((of) => weightOf(of) !== undefined) || field.appliedDirectivesOf(names.listSize).length > 0;
  }

  function weightOf(of: { appliedDirectivesOf(name: string): readonly Directive[] }): number | undefined {
    return of.appliedDirectivesOf(names.cost)[0]?.arguments()['weight'] as number | undefined;
  }

  function weightOfType(definition: FieldDefinition<CompositeType>): number {
    const type = baseType(definition.type as Type);
    if (isAbstractType(type)) return Math.max(1, ...possibleRuntimeTypes(type).map((object) => weightOf(object) ?? 1));
    return weightOf(type) ?? (isCompositeType(type) ? 1 : 0);
  }

  function listSizeOf(definition: FieldDefinition<CompositeType>): ListSize {
    const declared = definition.appliedDirectivesOf(names.listSize)[0];
    if (declared) return declared.arguments();
    const slicingArguments = USUAL_ARGUMENTS.filter((name) => definition.argument(name));
    return slicingArguments.length > 0 ? { slicingArguments, sizedFields: USUAL_FIELDS } : {};
  }
}

interface Sized {
  size: number;
  fields: readonly string[];
}

interface Measured {
  ofArguments: number;
  length: number;
  /** Of each entry. */
  weight: number;
  /** The size of lists below it. */
  within: Sized | undefined;
}

function together(measured: readonly Measured[]): Sized | undefined {
  const sizes = measured.flatMap(({ within }) => within ?? []);
  if (sizes.length < 2) return sizes[0];
  return { size: Math.max(...sizes.map(({ size }) => size)), fields: sizes.flatMap(({ fields }) => fields) };
}

interface Element {
  name: string;
  definition: FieldDefinition<CompositeType>;
  args?: Variables;
}

/** A negative size is ignored. */
function requestedSize(
  { assumedSize, slicingArguments }: ListSize,
  definition: FieldDefinition<CompositeType>,
  args: Variables,
  variables: Variables,
): number | undefined {
  const sizes = (slicingArguments ?? [])
    .map((name) => {
      const value = args[name];
      const given = value instanceof Variable ? own(variables, value.name) : value;
      return given === undefined ? (definition.argument(name)?.defaultValue as unknown) : given;
    })
    .filter((value) => typeof value === 'number' && value >= 0) as number[];
  return sizes.length > 0 ? Math.max(...sizes) : (assumedSize ?? undefined);
}

const larger = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);

function listLevels(type: Type | undefined): number {
  let levels = 0;
  for (let inner = type; inner && (isListType(inner) || isNonNullType(inner)); inner = inner.ofType as Type) {
    if (isListType(inner)) levels += 1;
  }
  return levels;
}
