import {
  baseType,
  Variable,
  type ArgumentDefinition,
  type CompositeType,
  type FieldDefinition,
  type InputFieldDefinition,
  type NamedType,
  type Operation,
  type Schema,
} from '@apollo/federation-internals';

import { isData, own } from '../plan/data.ts';
import { DEEPEST_VARIABLES } from '@foyer/shared/graphql/nesting';

export type Variables = Readonly<Record<string, unknown>>;

/** The variables of an operation, and their weights. */
export interface Given {
  /** Includes the defaults of variables that were left out. */
  variables: Variables;
  /** The weight of the inputs within each variable: computed once, however often it is used. */
  weights: ReadonlyMap<string, number>;
}

type Field = FieldDefinition<CompositeType>;
type Weighable = ArgumentDefinition<Field> | InputFieldDefinition;

/** An argument or input field that has a weight, or holds inputs that have one. */
interface Weighed {
  name: string;
  weight: number;
  /** Without the lists around it. */
  type: NamedType;
}

/** For values that hold no variables: those of variables. */
const nothing: Given = { variables: {}, weights: new Map() };

/**
 * Weighs the arguments of fields and the inputs within them; null and omitted values weigh nothing.
 *
 * @param weightOf the weight that the schema says an argument or a field of an input has
 */
export function inputWeights(composed: Schema, weightOf: (of: Weighable) => number | undefined) {
  const asWeighed = (of: Weighable): Weighed => ({
    name: of.name,
    weight: weightOf(of) ?? 0,
    type: baseType(of.type as NonNullable<typeof of.type>),
  });
  const inputs = inputsThatWeigh(composed, asWeighed);
  const weighs = ({ weight, type }: Weighed) => weight !== 0 || inputs.has(type);

  function ofAll(weighed: readonly Weighed[], values: Variables, given: Given, depth = 0): number {
    let sum = 0;
    for (const { name, weight, type } of weighed) {
      const value = own(values, name);
      const present = value instanceof Variable ? own(given.variables, value.name) : value;
      if (present !== undefined && present !== null) sum += weight + within(type, value, given, depth);
    }
    return sum;
  }

  /** The value may be anything: the variables have not been validated yet. Deeper nesting is refused later. */
  function within(type: NamedType | undefined, value: unknown, given: Given, depth: number): number {
    const fields = type && inputs.get(type);
    if (!fields || depth > DEEPEST_VARIABLES) return 0;
    if (value instanceof Variable) return given.weights.get(value.name) ?? 0;
    if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + within(type, item, given, depth + 1), 0);
    return isData(value) ? ofAll(fields, value, given, depth + 1) : 0;
  }

  return {
    /** The weight of a field's arguments in an operation. */
    ofArguments(definition: Field): (args: Variables, given: Given) => number {
      const weighed = definition.arguments().map(asWeighed).filter(weighs);
      return (args, given) => ofAll(weighed, args, given);
    },
    /** The weights of an operation's variables, by name. */
    ofVariables({ variableDefinitions }: Operation): (variables: Variables) => Given['weights'] {
      const weighed = variableDefinitions
        .definitions()
        .map(({ variable, type }) => ({ name: variable.name, type: composed.type(baseType(type).name) }))
        .filter(({ type }) => type && inputs.has(type));
      return (variables) =>
        new Map(weighed.map(({ name, type }) => [name, within(type, own(variables, name), nothing, 0)]));
    },
  };
}

/** Every input type that has fields with a weight, with those fields. */
function inputsThatWeigh(
  composed: Schema,
  asWeighed: (of: InputFieldDefinition) => Weighed,
): ReadonlyMap<NamedType, readonly Weighed[]> {
  const all = composed.inputTypes().map((type) => ({ type, fields: type.fields().map(asWeighed) }));
  const found = new Set<NamedType>();
  const heavy = ({ weight, type }: Weighed) => weight !== 0 || found.has(type);
  // Inputs hold inputs, also recursively: repeat until no more are found.
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const { type, fields } of all) if (fields.some(heavy)) found.add(type);
  }
  return new Map(all.filter(({ type }) => found.has(type)).map(({ type, fields }) => [type, fields.filter(heavy)]));
}
