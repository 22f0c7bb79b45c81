import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';

/**
 * A query for a schema, valid except where fields can't be merged: fields twice and under aliases, with the arguments that
 * they must have, fragments on types and interfaces, conditions. The same seed makes the same query.
 */
export function randomQuery(schema: GraphQLSchema, seed: number): string {
  const below = numbers(seed);
  const chance = (share: number) => below(100) < share * 100;
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;

  function selections(type: GraphQLCompositeType, depth: number): string {
    const parts = [
      chance(0.3) || !('getFields' in type) ? '__typename' : '',
      chance(0.1) ? `t${below(3)}: __typename` : '',
    ];
    if ('getFields' in type) for (let at = 0; at <= below(4); at += 1) parts.push(field(type, depth));
    if (isAbstractType(type)) {
      for (const possible of schema.getPossibleTypes(type)) {
        if (chance(0.6)) parts.push(`... on ${possible.name} { ${selections(possible, depth)} }`);
      }
    } else if (chance(0.15)) parts.push(`... ${condition()} { ${selections(type, depth)} }`);
    const text = parts.filter(Boolean).join(' ');
    return text || '__typename';
  }

  function field(type: Extract<GraphQLCompositeType, { getFields: unknown }>, depth: number): string {
    const possible = Object.values(type.getFields()).filter(
      (found) => depth > 0 || !isCompositeType(getNamedType(found.type)),
    );
    if (possible.length === 0) return '__typename';
    const chosen = oneOf(possible);
    const named = getNamedType(chosen.type);
    // An alias says what it stands for, so that no two of one name mean different things.
    const alias = chance(0.2) ? `${chosen.name}${type.name}${below(2)}: ` : '';
    const inner = isCompositeType(named) ? ` { ${selections(named, depth - 1)} }` : '';
    return `${alias}${chosen.name}${argumentsOf(chosen)}${chance(0.1) ? ` ${condition()}` : ''}${inner}`;
  }

  const condition = () => `@${oneOf(['skip', 'include'])}(if: ${oneOf(['true', 'false', '$on', '$off'])})`;
  const query = schema.getQueryType();
  const body = query ? selections(query, 5) : '__typename';
  const used = 'on: __typename @include(if: $on) off: __typename @skip(if: $off)';
  return `query ($on: Boolean! = true, $off: Boolean! = false) { ${body} ${used} }`;
}

/** A field has the same arguments wherever it is selected. */
function argumentsOf({ args }: { args: readonly GraphQLArgument[] }): string {
  const required = args.filter(isRequiredArgument).map(({ name, type }) => `${name}: ${literalOf(type)}`);
  return required.length > 0 ? `(${required.join(', ')})` : '';
}

function literalOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literalOf(type.ofType);
  if (isListType(type)) return `[${literalOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field, at) =>
      type.isOneOf ? at === 0 : isRequiredInputField(field),
    );
    return `{ ${fields.map((field) => `${field.name}: ${literalOf(field.type)}`).join(', ')} }`;
  }
  return { Int: '2', Float: '1.5', Boolean: 'true' }[type.name] ?? '"1"';
}

/** Numbers below a limit, always the same for a seed (mulberry32). */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
