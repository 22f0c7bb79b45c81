import { readId } from '@foyer/shared/ids';
import { describe, expect, it } from 'vitest';

import { assertCloud } from './new-organization.ts';

const admin = { username: 'mei', email: 'mei@acme.test', password: 'Foyer-demo-1' };
const wanted = (changes: Partial<typeof admin & { givenName: string; familyName: string }>) => ({
  name: 'Acme',
  companyCode: 'ACME',
  appIds: [readId('ticketing')],
  admin: { ...admin, ...changes },
});
const long = 'x'.repeat(201);

describe('the administrator of a new organization', () => {
  it.each([
    ['admin.username', { username: long }],
    ['admin.email', { email: `${long}@acme.test` }],
    ['admin.password', { password: long }],
    ['admin.givenName', { givenName: long }],
    ['admin.familyName', { familyName: long }],
  ])('has no %s that is longer than the identity provider accepts', (path, changes) => {
    expect(() => assertCloud(wanted(changes))).toThrow(
      expect.objectContaining({ extensions: expect.objectContaining({ errors: [expect.objectContaining({ path })] }) }),
    );
  });

  it('may have all that it accepts', () => {
    const most = { username: 'x'.repeat(200), password: 'x'.repeat(200), givenName: 'x', familyName: 'y' };
    expect(assertCloud(wanted(most))).toMatchObject(most);
  });
});
