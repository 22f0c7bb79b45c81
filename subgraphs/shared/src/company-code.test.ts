import { expect, it } from 'vitest';

import { companyCodeOf } from './company-code.ts';

it('a company code is in capitals, without blanks around it', () => {
  expect(companyCodeOf(' acme ')).toBe('ACME');
});
