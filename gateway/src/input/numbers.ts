import { getNamedType, GraphQLError, type FloatValueNode, type IntValueNode, type ValidationRule } from 'graphql';

/**
 * Refuses numbers in the document that JavaScript reads as infinite: the planner can't write them into the operation of a
 * subgraph. Ids are text, however many digits they have.
 */
export const withoutInfiniteNumbers: ValidationRule = (context) => {
  const check = (node: IntValueNode | FloatValueNode) => {
    if (Number.isFinite(Number(node.value)) || getNamedType(context.getInputType())?.name === 'ID') return;
    context.reportError(new GraphQLError('This number is too large.', { nodes: node }));
  };
  return { IntValue: check, FloatValue: check };
};
