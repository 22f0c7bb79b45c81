import { describe, expect, it } from 'vitest';

import { isUuid, numberIn, readId, rowId, serialId, uuidOf, uuidText } from './ids.ts';

const uuid = '0a0c0000-0000-4000-8000-0000000000ab';
const bare = uuid.replaceAll('-', '');
const misspelled = [
  `{${uuid}}`,
  `urn:uuid:${uuid}`,
  bare,
  `{${bare}}`,
  `${bare.slice(0, 4)}-${bare.slice(4)}`,
  ` ${uuid}`,
  `${uuid}\n`,
];

describe('an id', () => {
  it.each([
    [uuid, uuid],
    [uuid.toUpperCase(), uuid],
    ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000001'],
    ['7', '7'],
    ['007', '7'],
    ['000', '0'],
    ['ORG_ADMIN', 'ORG_ADMIN'],
    ['nonsense', 'nonsense'],
  ])('is read: %s as %s', (written, read) => expect(readId(written)).toBe(read));

  it.each([...misspelled, '', ' 7', '+7', '7.0', '７', 'x'.repeat(101)])('is none: %j', (written) => {
    expect(() => readId(written, 'input.id')).toThrow(
      expect.objectContaining({
        reason: 'VALIDATION_FAILED',
        extensions: expect.objectContaining({ errors: [expect.objectContaining({ path: 'input.id' })] }),
      }),
    );
  });
});

describe('a UUID', () => {
  it('has one spelling, whatever its case in the input', () => {
    for (const written of [uuid, uuid.toUpperCase()])
      expect([uuidOf(written), uuidText().parse(written)]).toEqual([uuid, uuid]);
    expect([isUuid(uuid), isUuid(uuid.toUpperCase())]).toEqual([true, false]);
  });

  it.each([...misspelled, '7', ''])('is none: %j', (written) => {
    expect([uuidOf(written), isUuid(written), uuidText().safeParse(written).success]).toEqual([null, false, false]);
  });
});

describe('a number of a record', () => {
  it('is a number, with zeros before it or without', () => {
    expect([serialId('007'), serialId(7), rowId('007')]).toEqual([7n, 7n, 7]);
  });

  it.each(['', '0', '-1', '+7', ' 7', '7.0', '1e3', '0x7', '９', '9223372036854775808'])('is none: %j', (written) => {
    expect([serialId(written), rowId(written)]).toEqual([null, 0]);
  });
});

describe('the number in an id', () => {
  it.each([
    ['7', 7],
    ['999999', 999_999],
    ['nonsense', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['-1', undefined],
    ['', undefined],
    ['9'.repeat(19), undefined],
  ])('of %j is %j', (text, number) => expect(numberIn(text)).toBe(number));
});
