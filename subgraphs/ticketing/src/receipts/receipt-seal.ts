import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TIME_BYTES = 8;
const TAG_BYTES = 16;

/**
 * Encrypts receipts for a store. Whoever can read the store learns nothing, and what was damaged, changed or put under
 * another name there does not open.
 */
export interface ReceiptSeal {
  /** Returns the name under which the store has the receipt of a key. */
  nameOf(key: string): string;
  seal(key: string, pdf: Uint8Array, printedAt: Date): Uint8Array;
  /** @returns null for anything that was not sealed under this key, with this secret */
  open(key: string, sealed: Uint8Array): { pdf: Uint8Array; printedAt: Date } | null;
}

/** @param secret the same in all processes; with another one nothing that was kept before is found */
export function openReceiptSeal(secret: string): ReceiptSeal {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `printed receipts: ${use}`, 32));
  const [forNames, forContents] = [derive('names'), derive('contents')];

  return {
    nameOf: (key) => createHmac('sha256', forNames).update(key).digest('hex'),
    seal(key, pdf, printedAt) {
      const iv = randomBytes(IV_BYTES);
      const time = Buffer.alloc(TIME_BYTES);
      time.writeBigInt64BE(BigInt(printedAt.getTime()));
      const cipher = createCipheriv(CIPHER, forContents, iv).setAAD(Buffer.from(key));
      return Buffer.concat([iv, cipher.update(time), cipher.update(pdf), cipher.final(), cipher.getAuthTag()]);
    },
    open(key, sealed) {
      if (sealed.length < IV_BYTES + TIME_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(CIPHER, forContents, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(key))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      try {
        const content = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
        const printedAt = new Date(Number(content.readBigInt64BE(0)));
        return { pdf: content.subarray(TIME_BYTES), printedAt };
      } catch {
        return null;
      }
    },
  };
}
