import { isCompositeType, isObjectType, type Schema } from '@apollo/federation-internals';
import { GraphQLError } from 'graphql';

import { Bare, own, typenameOf, type Data } from './data.ts';
import type { Path } from './places.ts';
import type { Conditional, Selected, SelectedField, SelectedFragment, Shape } from './shape.ts';

interface Needs {
  apiSchema: Schema;
  rootType: string;
  /** Includes the defaults of those that the client left out. */
  variables: Readonly<Record<string, unknown>>;
  introspect(field: SelectedField): unknown;
}

interface Shaping extends Needs {
  errors: GraphQLError[];
  path: (string | number)[];
}

/** Marks a null that an error already reports; in a non-null field it makes the parent null. */
const REPORTED = Symbol('null, and reported');

/**
 * Shapes the fetched data into the client's response: its fields in its order, nothing else, no null in a non-null field,
 * no hidden type.
 *
 * It decides each case as @apollo/gateway's executor does, on selections that were resolved once (`shapeOf`).
 */
export function shapeResponse(
  needs: Needs,
  selections: readonly Selected[],
  fetched: Data,
): { data: Data | null; errors: GraphQLError[] } {
  const shaping: Shaping = { ...needs, errors: [], path: [] };
  const data = new Bare();
  const fits = shapeSelections(shaping, selections, fetched, data, needs.rootType);
  return { data: fits ? data : null, errors: shaping.errors };
}

function shapeSelections(
  shaping: Shaping,
  selections: readonly Selected[],
  input: Data,
  output: Data,
  parent: string,
): boolean {
  for (const selection of selections) {
    if (selection.conditions.length > 0 && !holds(selection, shaping.variables)) continue;
    const fits =
      selection.kind === 'fragment'
        ? shapeFragment(shaping, selection, input, output, parent)
        : shapeField(shaping, selection, input, output, parent);
    if (!fits) return false;
  }
  return true;
}

/** Whether a selection is not left out by `@skip` or `@include`. */
export const holds = ({ conditions }: Conditional, variables: Needs['variables']): boolean =>
  conditions.every(({ is, variable, wanted }) => (variable === undefined ? is : variables[variable]) === wanted);

function shapeFragment(shaping: Shaping, fragment: SelectedFragment, input: Data, output: Data, parent: string) {
  if (!fragment.appliesTo(typenameOf(input) ?? parent)) return true;
  return shapeSelections(shaping, fragment.selections, input, output, fragment.condition ?? parent);
}

function shapeField(shaping: Shaping, field: SelectedField, input: Data, output: Data, parent: string): boolean {
  const { responseName, inPlan } = field;
  const before = output[responseName];
  if (field.kind === 'introspection') {
    if (before === undefined) output[responseName] = shaping.introspect(field);
    return true;
  }
  if (field.kind === 'typename') {
    if (before !== undefined) return true;
    const typename = nameOfType(shaping.apiSchema, own(input, inPlan) ?? input['__typename'], parent);
    if (typename === undefined) return false;
    output[responseName] = typename;
    return true;
  }
  if (field.denied) {
    output[responseName] = null; // also where another selection has found it: they are one field
    return field.type.kind !== 'nonNull';
  }
  shaping.path.push(responseName);
  const value = shapeValue(shaping, field.type, own(input, inPlan) ?? null, before, parent);
  shaping.path.pop();
  output[responseName] = value === REPORTED ? null : value;
  return value !== REPORTED || field.type.kind !== 'nonNull';
}

/** Undefined for the name of an interface: the subgraph that knows the object's type did not return it. */
function nameOfType(schema: Schema, value: unknown, parent: string): string | undefined {
  const type = (typeof value === 'string' ? schema.type(value) : undefined) ?? schema.type(parent);
  return type && isObjectType(type) ? type.name : undefined;
}

/** The value, or `REPORTED`. */
function shapeValue(shaping: Shaping, shape: Shape, input: unknown, before: unknown, parent: string): unknown {
  if (before === null || (before !== undefined && isLeaf(shape))) return before;
  if (shape.kind === 'nonNull') {
    const value = shapeValue(shaping, shape.of, input, before, parent);
    if (value !== null) return value;
    report(shaping, `Cannot return null for non-nullable ${describe(shaping.path, shape.of, parent)}.`);
    return REPORTED;
  }
  if (input === null || input === undefined) return null;
  if (shape.kind === 'list') return shapeList(shaping, shape.of, input, before, parent);
  if (shape.kind === 'object') return shapeObject(shaping, shape, input, before, parent);
  if (shape.isValid(input)) return input;
  report(shaping, `Invalid value found for ${describe(shaping.path, shape, parent)}.`);
  return REPORTED;
}

function isLeaf(shape: Shape): boolean {
  return shape.kind === 'leaf' || ((shape.kind === 'nonNull' || shape.kind === 'list') && isLeaf(shape.of));
}

function shapeList(shaping: Shaping, item: Shape, input: unknown, before: unknown, parent: string): unknown {
  if (!Array.isArray(input)) throw misfit('a value that is no list', shaping.path);
  const output: unknown[] = [];
  const earlier = before as unknown[] | undefined;
  let fits = true;
  for (let at = 0; at < input.length; at += 1) {
    shaping.path.push(at);
    const value = shapeValue(shaping, item, input[at], earlier?.[at], parent);
    shaping.path.pop();
    if (value === REPORTED && item.kind === 'nonNull') fits = false;
    output.push(value === REPORTED ? null : value);
  }
  return fits ? output : REPORTED;
}

function shapeObject(
  shaping: Shaping,
  shape: Extract<Shape, { kind: 'object' }>,
  input: unknown,
  before: unknown,
  parent: string,
): unknown {
  if (typeof input !== 'object') throw misfit('a value that is no object', shaping.path);
  const data = input as Data;
  const typename = typenameOf(data);
  let type = shape.name;
  if (typename) {
    const known = shaping.apiSchema.type(typename);
    if (!known || !isCompositeType(known)) {
      // The name is not shown: it may be that of a hidden type.
      report(shaping, `Invalid __typename found for object at ${describe(shaping.path, shape, parent)}.`);
      return REPORTED;
    }
    type = known.name;
  }
  const output = (before as Data | undefined) ?? new Bare();
  return shapeSelections(shaping, shape.selections, data, output, type) ? output : REPORTED;
}

const misfit = (what: string, path: Path) => new Error(`a subgraph answered ${what} at ${path.join('.')}`);

function report({ errors, path }: Shaping, message: string): void {
  errors.push(new GraphQLError(message, { path: [...path], extensions: { code: 'INVALID_GRAPHQL' } }));
}

function describe(path: Path, { name }: Shape, parent: string): string {
  const last = path.at(-1);
  return typeof last === 'number' ? `array element of type ${name} at index ${last}` : `field ${parent}.${last}`;
}
