import { Refusal } from '@foyer/shared/errors';
import { DEEPEST_VARIABLES } from '@foyer/shared/graphql/nesting';
import { GraphQLError, type ValidationRule } from 'graphql';

/**
 * PostgreSQL stores neither text with NUL nor lone surrogates, which JSON can express. Both are refused here, once, so that
 * no subgraph has to check for them.
 */
const NUL = '\0';
const nulInText = 'Text may not hold the character NUL.';

/** Refuses NUL in the document itself, where GraphQL refuses lone surrogates. */
export const withoutNul: ValidationRule = (context) => ({
  StringValue(node) {
    if (!node.value.includes(NUL)) return;
    context.reportError(new GraphQLError(nulInText, { nodes: node, extensions: { reason: 'NUL_IN_TEXT' } }));
  },
});

/** @throws {Refusal} for text or keys within the variables that can't be stored, the key `__proto__`, or too deep nesting */
export function refuseUnusableText(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes(NUL)) throw new Refusal('BAD_USER_INPUT', 'NUL_IN_TEXT', nulInText);
    if (!value.isWellFormed()) {
      throw new Refusal('BAD_USER_INPUT', 'HALF_A_CHARACTER', 'Text may not hold half of a character.');
    }
  } else if (typeof value === 'object' && value !== null) {
    if (depth > DEEPEST_VARIABLES)
      throw new Refusal('BAD_USER_INPUT', 'VARIABLES_TOO_DEEP', 'The variables nest too deep.');
    for (const [key, part] of Object.entries(value)) {
      if (key === '__proto__') throw new Refusal('BAD_USER_INPUT', 'PROTOTYPE_KEY', 'No key may be __proto__.');
      refuseUnusableText(key, depth);
      refuseUnusableText(part, depth + 1);
    }
  }
}
