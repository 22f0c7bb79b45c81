import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import type { Json } from './json.ts';

/** Checks a value by the schema at a place of an OpenAPI document. Returns the errors of ajv, or undefined. */
export type SchemaCheck = (value: unknown, ...place: string[]) => unknown;

export function schemaCheck(document: Json): SchemaCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  return (value, ...place) => {
    const pointer = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const validate = ajv.getSchema(`openapi#/${pointer}`);
    if (!validate) return `the document has no ${place.join(' ')}`;
    return validate(value) ? undefined : validate.errors;
  };
}
