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
import { DEEPEST_VARIABLES } from '../input/text.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** What an operation is given. */
export interface Given {
  /** With the defaults of variables that were left out. */
  variables: Variables;
  /** What the inputs within each variable weigh: counted once, however often it is used. */
  weights: ReadonlyMap<string, number>;
}

type Field = FieldDefinition<CompositeType>;
type Weighable = ArgumentDefinition<Field> | InputFieldDefinition;

/** An argument, or a field of an input, that weighs something, itself or by what it holds. */
interface Weighed {
  name: string;
  weight: number;
  /** Without the lists around it. */
  type: NamedType;
}

/** For values that hold no variables: those of variables. */
const nothing: Given = { variables: {}, weights: new Map() };

/**
 * What the arguments of fields weigh, and what inputs hold; what is null or left out weighs nothing.
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

  /** The value may be any: nobody has checked the variables yet, and what nests deeper will be refused. */
  function within(type: NamedType | undefined, value: unknown, given: Given, depth: number): number {
    const fields = type && inputs.get(type);
    if (!fields || depth > DEEPEST_VARIABLES) return 0;
    if (value instanceof Variable) return given.weights.get(value.name) ?? 0;
    if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + within(type, item, given, depth + 1), 0);
    return isData(value) ? ofAll(fields, value, given, depth + 1) : 0;
  }

  return {
    /** Of the arguments of a field, as they are given in an operation. */
    ofArguments(definition: Field): (args: Variables, given: Given) => number {
      const weighed = definition.arguments().map(asWeighed).filter(weighs);
      return (args, given) => ofAll(weighed, args, given);
    },
    /** Of what the variables of an operation hold, by their names. */
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

/** All inputs with a field that weighs something, each with those fields. */
function inputsThatWeigh(
  composed: Schema,
  asWeighed: (of: InputFieldDefinition) => Weighed,
): ReadonlyMap<NamedType, readonly Weighed[]> {
  const all = composed.inputTypes().map((type) => ({ type, fields: type.fields().map(asWeighed) }));
  const found = new Set<NamedType>();
  const heavy = ({ weight, type }: Weighed) => weight !== 0 || found.has(type);
  // Inputs hold inputs, in circles too: this goes on until no more are found.
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const { type, fields } of all) if (fields.some(heavy)) found.add(type);
  }
  return new Map(all.filter(({ type }) => found.has(type)).map(({ type, fields }) => [type, fields.filter(heavy)]));
}
