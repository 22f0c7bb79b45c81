import { GraphQLError, GraphQLScalarType, type ValueNode } from 'graphql';
import { DateTimeISOResolver, JSONObjectResolver, LocalDateResolver } from 'graphql-scalars';

/** The scalar without the year 0, which ISO 8601 has and databases don't. */
function sinceYearOne(scalar: GraphQLScalarType): GraphQLScalarType {
  const { parseValue, parseLiteral, ...rest } = scalar.toConfig();
  return new GraphQLScalarType({
    ...rest,
    parseValue: (given) => {
      assertYear(given);
      return parseValue(given);
    },
    parseLiteral: (node: ValueNode, variables) => {
      assertYear('value' in node ? node.value : null);
      return parseLiteral(node, variables);
    },
  });
}

function assertYear(given: unknown): void {
  if (typeof given === 'string' && given.startsWith('0000')) throw new GraphQLError('There is no year 0.');
}

/** The scalars that every subgraph knows: text on the wire, validated as input. */
export const scalars = {
  DateTime: sinceYearOne(DateTimeISOResolver),
  Date: sinceYearOne(LocalDateResolver),
  JSON: JSONObjectResolver,
};
