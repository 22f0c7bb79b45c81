import { readId } from '@foyer/shared/ids';

import { describe, expect, it } from 'vitest';

import { EmailProfileInput, serverColumns } from './email-profile.ts';

const seal = (password: string) => Uint8Array.from(Buffer.from(`sealed ${password}`));
const server = { host: 'mail.acme.test', port: 465, tls: true, username: 'acme' };
const profile = { name: 'House', fromName: 'Acme', fromAddress: 'no-reply@acme.test' };
const before = {
  id: readId('p'),
  organizationId: readId('o'),
  ...profile,
  replyTo: null,
  smtpHost: 'mail.acme.test',
  smtpPort: 465,
  smtpTls: true,
  smtpUsername: 'acme',
  smtpPassword: seal('kept'),
  createdAt: new Date(),
  updatedAt: new Date(),
};
const passwordAfter = (change: object, password?: string) =>
  serverColumns({ ...server, ...change, password }, { id: before.id, seal, before }).smtpPassword;

describe("the password of a profile's mail server", () => {
  it('is kept sealed', () => {
    expect(passwordAfter({}, 'new')).toEqual(seal('new'));
  });

  it('stays when it is not sent again', () => {
    expect(passwordAfter({})).toEqual(seal('kept'));
  });

  it('is never sent to another server, for another user, or without the TLS it had', () => {
    for (const change of [{ host: 'mail.evil.test' }, { port: 25 }, { username: 'eve' }, { tls: false }])
      expect(passwordAfter(change)).toBeNull();
  });
});

describe('an e-mail profile', () => {
  it('can not smuggle a header into an e-mail', () => {
    expect(EmailProfileInput.safeParse({ ...profile, fromName: 'Acme\r\nBcc: all@acme.test' }).success).toBe(false);
    expect(EmailProfileInput.safeParse({ ...profile, fromAddress: 'a@b.test\nBcc: c@d.test' }).success).toBe(false);
  });

  it('names a server by a bare name or address, and never a metadata address of a cloud', () => {
    const accepted = (host: string) => EmailProfileInput.safeParse({ ...profile, server: { host, port: 587 } }).success;
    expect(['mail.acme.test', '198.51.100.7'].map(accepted)).toEqual([true, true]);
    expect(['http://mail', 'mail:25', '169.254.169.254', 'metadata.google.internal'].map(accepted)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
