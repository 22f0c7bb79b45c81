import { Refusal } from '@foyer/shared/errors';
import { describe, expect, it } from 'vitest';

import type { JsonSchema } from './openapi/json-schema.ts';
import { named, reads, sentFields, type SentField } from './testing/sent-fields.ts';

const optional = sentFields.filter(({ isOptional }) => isOptional);

const changes = (method: string) => method === 'PUT' || method === 'PATCH';
const mayBeNull = ({ type, anyOf }: JsonSchema) =>
  [type, ...(Array.isArray(anyOf) ? anyOf.map((one: JsonSchema) => one.type) : [])].flat().includes('null');
const isFreeText = (of: JsonSchema) =>
  of.type === 'string' && !of.enum && !of.format && !('pattern' in of) && !('minLength' in of);

/** Rows that require one of several fields. */
const takesOneOf = /\/(orderTicketGroup|notification)$/;
/** Fields in which a blank is refused, because a request without them does more. */
const refusing = new Set([
  'POST /api/v1/internal/platform/reconcile: query.dry_run',
  'GET /api/v1/internal/users/{id}/roles: query.org_id',
  'DELETE /api/media/{id}: query.purge',
]);

describe('a required field', () => {
  const needed = sentFields.filter(
    ({ isOptional, place, steps }) => !isOptional && place === 'body' && steps.length > 0,
  );
  const wrongs = (field: SentField, sent: unknown) => {
    const refused = reads(field, sent);
    return refused instanceof Refusal ? refused.extensions['errors'] : 'taken';
  };

  it('is missing when it is null or left out, on any route', () => {
    expect(needed.length).toBeGreaterThan(40);
    const wrong = needed.filter(
      (field) => JSON.stringify(wrongs(field, null)) !== JSON.stringify(wrongs(field, undefined)),
    );
    expect(wrong.map(named)).toEqual([]);
  });
});

describe('an optional field', () => {
  it('is on many routes, and their examples can be read', () => {
    expect(optional.length).toBeGreaterThan(150);
    const unread = optional.filter((field) => reads(field, undefined) instanceof Error);
    expect(unread.filter(({ key }) => !takesOneOf.test(key)).map(named)).toEqual([]);
  });

  it.each([null, '', '  '])('is not there when it is %j, on any route', (nothing) => {
    const fields = optional.filter(({ method, place, of }) => {
      const said = place === 'body' && changes(method) && (mayBeNull(of) || (nothing === '' && isFreeText(of)));
      return !said && (place === 'body' || nothing !== null); // a query has no null
    });
    const wrong = fields.filter(
      (field) => JSON.stringify(reads(field, nothing)) !== JSON.stringify(reads(field, undefined)),
    );
    expect(wrong.map(named).filter((name) => !refusing.has(name))).toEqual([]);
  });

  it.each(['', '  '])('is refused when it is %j, if a request without it does more', (nothing) => {
    const fields = optional.filter((field) => refusing.has(named(field)));
    expect(fields.map(named).toSorted()).toEqual([...refusing].toSorted());
    expect(fields.filter((field) => !(reads(field, nothing) instanceof Error)).map(named)).toEqual([]);
  });

  /** The fields of updates for which one of these values is not read as `read`. */
  const unread = (fields: SentField[], sent: readonly unknown[], read: unknown) =>
    fields
      .filter((field) => {
        const [name, is] = [field.steps.at(-1), JSON.stringify(read)];
        return !sent.every((nothing) => JSON.stringify(reads(field, nothing)).includes(`"${name}":${is}`));
      })
      .map(named);
  const inUpdates = optional.filter(({ method, place }) => place === 'body' && changes(method));

  it('is cleared by null or a blank text in an update, if it is nullable', () => {
    const fields = inUpdates.filter(({ key, of }) => mayBeNull(of) && !takesOneOf.test(key));
    expect(fields.length).toBeGreaterThan(3);
    expect(unread(fields, [null, '', ' '], null)).toEqual([]);
  });

  it('is emptied by an empty text in an update, if it is free text', () => {
    const fields = inUpdates.filter(({ of }) => isFreeText(of));
    expect(fields.length).toBeGreaterThan(5);
    expect(unread(fields, [''], '')).toEqual([]);
  });
});
