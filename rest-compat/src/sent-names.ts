import { badInput, type InputError } from '@foyer/shared/errors';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { z } from 'zod';

import { core } from './blank-fields.ts';

type Schema = z.core.$ZodType;

const Errors = z.array(z.object({ path: z.string(), message: z.string() }));

/**
 * Returns the result of an operation with the fields of its refusals named as the client sent them: `first_name` instead
 * of `input.firstName`.
 *
 * @param schema the input of the route: `{ params, query, body, headers }`
 */
export const withSentNames = (schema: Schema, result: ExecutionResult): ExecutionResult =>
  result.errors ? { ...result, errors: result.errors.map((error) => respelled(schema, error)) } : result;

function respelled(schema: Schema, error: GraphQLError): GraphQLError {
  const { reason, errors } = error.extensions;
  const inputErrors = Errors.safeParse(errors);
  if (reason !== 'VALIDATION_FAILED' || !inputErrors.success) return error;
  const respelt = inputErrors.data.map(({ path, message }): InputError => ({ path: sentAs(schema, path), message }));
  return respelt.some(({ path }, index) => path !== inputErrors.data[index]?.path) ? badInput(respelt) : error;
}

/** Returns the client's name of a field; the path itself if the route has no such field. */
function sentAs(schema: Schema, path: string): string {
  const steps = path.replace(/^input\./, '').split('.');
  const parts = fieldsOf(schema);
  for (const part of ['body', 'query', 'params']) {
    const found = parts[part] && stepsIn(parts[part], steps);
    if (found) return found.join('.');
  }
  return steps.join('.');
}

/** Returns the client's names along a path, as far as the schema knows them; undefined if it doesn't know the first. */
function stepsIn(schema: Schema, [name, ...rest]: readonly string[]): string[] | undefined {
  if (name === undefined) return undefined;
  const { def } = core(schema);
  if (def.type === 'array' && /^\d+$/.test(name)) {
    return [name, ...(stepsIn((def as z.core.$ZodArrayDef).element, rest) ?? rest)];
  }
  const fields = fieldsOf(schema);
  const sent = [name, inSnakeCase(name)].find((each) => Object.hasOwn(fields, each)) ?? '';
  return fields[sent] && [sent, ...(stepsIn(fields[sent], rest) ?? rest)];
}

function fieldsOf(schema: Schema): Readonly<Record<string, Schema>> {
  const { def } = core(schema);
  return def.type === 'object' ? (def as z.core.$ZodObjectDef).shape : {};
}

const inSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
