/** Makes one line of a text: no control characters, line breaks or marks that would change the direction of what follows. */
export const legible = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replaceAll(/(?!\u200c|\u200d)\p{Cf}/gu, '')
    .trim();
