import { describe, expect, it } from 'vitest';

import { named, reads, sentFields } from './testing/sent-fields.ts';

const inBodies = sentFields.filter(({ place }) => place === 'body');
/** Ids have a rule of their own (`documentedId`). */
const isId = ({ of }: (typeof inBodies)[number]) => of.format === 'int64';
const numbers = inBodies.filter(
  (field) => !isId(field) && [field.of.type].flat().some((type) => type === 'integer' || type === 'number'),
);

describe('a number in a body', () => {
  it('is on several routes, also in lists of objects', () => {
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers.map(named)).toContain('POST /streamers: body.apiPort');
    expect(numbers.filter(({ steps }) => steps.length > 1).length).toBeGreaterThan(0);
  });

  it('may be its decimal text', () => {
    const wrong = numbers.filter((field) => {
      const read = reads(field, 7);
      return read instanceof Error || JSON.stringify(reads(field, '7')) !== JSON.stringify(read);
    });
    expect(wrong.map(named)).toEqual([]);
  });

  it.each(['07', '+7', ' 7', '7 ', '7.', '.7', '1e1', '0x7', '7,0', '-0', 'seven', '١'])(
    'has one spelling: %j is refused',
    (text) => {
      expect(numbers.filter((field) => !(reads(field, text) instanceof Error)).map(named)).toEqual([]);
    },
  );

  it('that is an integer has no fraction', () => {
    const whole = numbers.filter(({ of }) => [of.type].flat().includes('integer'));
    expect(whole.filter((field) => !(reads(field, '7.0') instanceof Error)).map(named)).toEqual([]);
  });
});
