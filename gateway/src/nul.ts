import { Refusal } from '@foyer/shared/errors';
import { GraphQLError, type ValidationRule } from 'graphql';

/**
 * Text with a NUL in it is nobody's name or note, and PostgreSQL can't keep it: refused here, once,
 * so that no subgraph has to think of it.
 */
const NUL = '\0';
const message = 'Text may not hold the character NUL.';

/** For what stands in the document itself. */
export const withoutNul: ValidationRule = (context) => ({
  StringValue(node) {
    if (!node.value.includes(NUL)) return;
    context.reportError(new GraphQLError(message, { nodes: node, extensions: { reason: 'NUL_IN_TEXT' } }));
  },
});

/** How deep variables may nest: no input type of ours comes near, only a JSON scalar could. */
const MAX_DEPTH = 64;

/** @throws {Refusal} when any text within the variables, or any key, holds a NUL, or they nest absurdly */
export function refuseNul(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes(NUL)) throw new Refusal('BAD_USER_INPUT', 'NUL_IN_TEXT', message);
  } else if (typeof value === 'object' && value !== null) {
    if (depth > MAX_DEPTH) throw new Refusal('BAD_USER_INPUT', 'VARIABLES_TOO_DEEP', 'The variables nest too deep.');
    for (const [key, part] of Object.entries(value)) {
      refuseNul(key, depth);
      refuseNul(part, depth + 1);
    }
  }
}
