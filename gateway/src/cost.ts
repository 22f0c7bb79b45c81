import type { Directive, FieldDefinition, Operation, Schema, SelectionSet } from '@apollo/federation-internals';
import {
  isCompositeType,
  isListType,
  isNonNullType,
  Variable,
  type CompositeType,
  type Type,
} from '@apollo/federation-internals';

const SPECIFICATION = 'https://specs.apollo.dev/cost';
/** What a connection is asked for when nobody has declared it: the arguments of lists, everywhere. */
const USUAL_ARGUMENTS = ['first', 'last', 'limit'];
const USUAL_FIELDS = ['edges', 'nodes', 'items'];

/** What is said of a list: by `@listSize`, or by the habits of connections. */
interface ListSize {
  assumedSize?: number | null;
  slicingArguments?: readonly string[] | null;
  sizedFields?: readonly string[] | null;
}

/** What an operation costs with given variables: each object once for each place in the lists that hold it. */
export type Cost = (variables: Readonly<Record<string, unknown>>) => number;

/**
 * Reads `@cost` and `@listSize` of a supergraph (composition keeps them from Federation 2.9 on).
 * Without `@cost` an object costs 1, a scalar nothing, a mutation 10 more.
 *
 * @param listSize how long a list is taken to be of which nothing is said
 */
export function costsOf(composed: Schema, listSize: number): (operation: Operation) => Cost {
  const named = (name: 'cost' | 'listSize') =>
    composed.coreFeatures?.getByIdentity(SPECIFICATION)?.directiveNameInSchema(name) ?? name;
  const names = { cost: named('cost'), listSize: named('listSize') };

  return (operation) => {
    const root = operation.rootKind === 'mutation' ? 10 : 0;
    const whole = costOfSet(operation.selectionSet);
    const defaults = operation.collectDefaultedVariableValues();
    const cost: Cost = (variables) => root + whole({ ...defaults, ...variables }, undefined);
    if (operation.variableDefinitions.definitions().length > 0) return cost;
    const always = cost({});
    return () => always;
  };

  type Counted = (variables: Readonly<Record<string, unknown>>, sized: Sized | undefined) => number;

  function costOfSet(set: SelectionSet): Counted {
    const parts = set
      .selections()
      .map((selection): Counted =>
        selection.kind === 'FragmentSelection'
          ? costOfSet(selection.selectionSet)
          : costOfField(selection.element, selection.selectionSet),
      );
    return (variables, sized) => parts.reduce((sum, part) => sum + part(variables, sized), 0);
  }

  function costOfField(element: Element, set: SelectionSet | undefined): Counted {
    if (element.name.startsWith('__')) return () => 0;
    const definition = composedField(element);
    const size = listSizeOf(definition);
    const isList = holdsList(definition.type);
    const own = weightOf(definition) ?? weightOfType(definition);
    const below = set ? costOfSet(set) : () => 0;
    return (variables, sized) => {
      const asked = sizeAsked(size, element.args ?? {}, variables);
      const length = isList ? ((sized?.fields.includes(element.name) ? sized.size : asked) ?? listSize) : 1;
      const within = !isList && asked !== undefined ? { size: asked, fields: size.sizedFields ?? [] } : undefined;
      return Math.max(0, length) * (own + below(variables, within));
    };
  }

  /** The field as the supergraph has it: the public schema does not carry directives. */
  function composedField({ name, definition }: Element): FieldDefinition<CompositeType> {
    const type = composed.type(definition.parent.name);
    const found = type && isCompositeType(type) && 'field' in type ? type.field(name) : undefined;
    return found ?? definition;
  }

  function weightOf(of: { appliedDirectivesOf(name: string): readonly Directive[] }): number | undefined {
    return of.appliedDirectivesOf(names.cost)[0]?.arguments()['weight'] as number | undefined;
  }

  function weightOfType(definition: FieldDefinition<CompositeType>): number {
    const type = innermost(definition.type);
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

interface Element {
  name: string;
  definition: FieldDefinition<CompositeType>;
  args?: Readonly<Record<string, unknown>>;
}

function sizeAsked(
  { assumedSize, slicingArguments }: ListSize,
  given: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, unknown>>,
): number | undefined {
  const sizes = (slicingArguments ?? [])
    .map((name) => given[name])
    .map((value) => (value instanceof Variable ? variables[value.name] : value))
    .filter((value) => typeof value === 'number');
  return sizes.length > 0 ? Math.max(...sizes) : (assumedSize ?? undefined);
}

const holdsList = (type: Type | undefined): boolean =>
  type !== undefined && (isListType(type) || (isNonNullType(type) && isListType(type.ofType)));

function innermost(type: Type | undefined): Exclude<Type, { ofType: unknown }> {
  let inner = type;
  while (inner && (isListType(inner) || isNonNullType(inner))) inner = inner.ofType as Type;
  return inner as Exclude<Type, { ofType: unknown }>;
}
