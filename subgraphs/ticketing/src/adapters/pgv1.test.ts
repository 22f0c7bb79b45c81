import { CompactEncrypt, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';

import { canonical, checksum, claimsAt, isSealed, openClaims, sealClaims, wireKeys } from './pgv1.ts';

const keys = wireKeys(Buffer.alloc(32, 7));
const others = wireKeys(Buffer.alloc(32, 8));
const fields = { totalAmount: '100.00', orderNo: 'ORD-1', buyerName: 'Siti & Ali=1\n', agToken: 'FOYER' };

describe('the checksum of a form', () => {
  it('covers every field, sorted, so that no two forms give the same text', () => {
    expect(canonical(fields)).toBe(
      'PGv1\nagToken=FOYER&buyerName=Siti%20%26%20Ali%3D1%0A&orderNo=ORD-1&totalAmount=100.00',
    );
  });

  it('is the one that another implementation computes', () => {
    expect(checksum(fields, keys)).toBe(
      '267a1692a3f1a254a8d5d28d956dcae592bbaae5f27abc566f5c133c8c72e98f3e24e7ecf594a24b2db22cd6e3c21ecd4ae03b769fb02d62f2e5045ddb4190f4',
    );
  });

  it('is the same for a name, however its accents are encoded', () => {
    expect(checksum({ name: 'é' }, keys)).toBe(checksum({ name: 'e\u0301' }, keys));
  });

  it('covers each field: none can be changed, added or taken away', () => {
    const sealed = { ...fields, checksum: checksum(fields, keys) };

    expect(isSealed(sealed, [others, keys])).toBe(true);
    expect(isSealed({ ...sealed, totalAmount: '1.00' }, [keys])).toBe(false);
    expect(isSealed({ ...sealed, more: '' }, [keys])).toBe(false);
    expect(isSealed({ orderNo: 'ORD-1', checksum: sealed.checksum }, [keys])).toBe(false);
    expect(isSealed(sealed, [others])).toBe(false);
  });
});

describe('the payload of a return', () => {
  const claims = claimsAt(new Date('2026-03-05T10:30:00Z'), {
    jti: '4f6c1f5e-6a63-4a59-9f61-0d6a3f2b7c11',
    aud: 'FOYER',
    orderNo: 'ORD-1',
    billId: 'BILL-1',
    transactionId: 'T-1',
    gatewayTransactionId: 'G-1',
    statusCode: '00',
    statusMessage: 'Approved',
    amountSen: 10_000n,
    currency: 'MYR',
    bankCode: 'SIM0001',
    bankName: 'Bank',
    msgToken: '01',
    paidAt: new Date('2026-03-05T10:30:00Z'),
  });

  it('opens with the old key too while the key is being replaced', async () => {
    expect(await openClaims(await sealClaims(claims, keys), [others, keys])).toEqual(claims);
    expect(claims).toMatchObject({ amount: '100.00', paidAt: '2026-03-05T18:30:00+08:00', exp: claims.iat + 900 });
  });

  it('fits into a URL', async () => {
    expect(await sealClaims(claims, keys)).toMatch(/^[\w.-]{100,1000}$/);
  });

  it('does not open when one bit of it is changed', async () => {
    const payload = await sealClaims(claims, keys);
    for (const at of [10, 60, payload.length - 5]) {
      const changed = `${payload.slice(0, at)}${payload[at] === 'A' ? 'B' : 'A'}${payload.slice(at + 1)}`;
      await expect(openClaims(changed, [keys])).rejects.toThrow();
    }
  });

  it('is refused from a sender without the secret', async () => {
    await expect(openClaims(await sealClaims(claims, others), [keys])).rejects.toThrow();
    await expect(openClaims(new UnsecuredJWT(claims).encode(), [keys])).rejects.toThrow();
    await expect(openClaims("' OR 1=1--", [keys])).rejects.toThrow();
    await expect(openClaims('', [keys])).rejects.toThrow();
  });

  it('is refused in another cipher than the agreed one', async () => {
    const weaker = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'A256GCMKW', enc: 'A256GCM', kid: 'gw1', typ: 'pgr+jwe' })
      .encrypt(keys.encryption);

    await expect(openClaims(weaker, [keys])).rejects.toThrow();
  });
});
