import { expect, it } from 'vitest';

import { companyCodeOf } from './company-code.ts';

it('a company code is in capitals, with nothing around it', () => {
  expect(companyCodeOf(' acme ')).toBe('ACME');
});
