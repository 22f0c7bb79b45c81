import { Refusal } from '@foyer/shared/errors';
import { GraphQLError, type ValidationRule } from 'graphql';

/**
 * What PostgreSQL can't keep is nobody's name or note: text with a NUL in it, and halves of
 * characters, which JSON can spell. Refused here, once, so that no subgraph has to think of it.
 */
const NUL = '\0';
const nulInText = 'Text may not hold the character NUL.';

/** For what stands in the document itself, where GraphQL refuses halves of characters by itself. */
export const withoutNul: ValidationRule = (context) => ({
  StringValue(node) {
    if (!node.value.includes(NUL)) return;
    context.reportError(new GraphQLError(nulInText, { nodes: node, extensions: { reason: 'NUL_IN_TEXT' } }));
  },
});

/** How deep variables may nest: no input type of ours comes near, only a JSON scalar could. */
export const DEEPEST_VARIABLES = 64;

/** @throws {Refusal} when any text within the variables, or any key, can't be kept or is a trap, or they nest absurdly */
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

/** Whether something that came as JSON nests deeper than anything of ours does; what walks through it runs out of stack. */
export function nestsTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth > DEEPEST_VARIABLES || Object.values(value).some((part) => nestsTooDeep(part, depth + 1));
}
