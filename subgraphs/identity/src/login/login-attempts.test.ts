import { expect, it } from 'vitest';

import { customerSubject, staffSubject } from './login-attempts.ts';

it.each(['ORGADMIN@acme.test', 'orgadmİn@acme.test', 'ORGADMİN@ACME.TEST'])(
  'attempts for %s count for the person whom the identity provider finds by it',
  (typed) => {
    const of = (username: string) => [staffSubject({ username, companyCode: 'ACME' }), customerSubject(username)];
    expect(of(typed)).toEqual(of('orgadmin@acme.test'));
  },
);
