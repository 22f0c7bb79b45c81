import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets that must be read again: passwords of mail servers, and e-mails in the queue. */
export interface Sealer {
  /** @param purpose what it is for; it opens for this purpose only */
  seal(secret: string, purpose: string): Uint8Array<ArrayBuffer>;
  /** @throws {Error} when it was sealed under another key, for another purpose, or changed */
  open(sealed: Uint8Array, purpose: string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Opens a sealer: AES-256-GCM, under a key derived from the secret. */
export function openSealer(secret: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'foyer identity sealer', 32));
  return {
    seal(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
      return Uint8Array.from(Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]));
    },
    open(sealed, purpose) {
      const box = Buffer.from(sealed);
      const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(box.subarray(-TAG_BYTES));
      return decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
