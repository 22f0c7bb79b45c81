declare module 'base45' {
  /** RFC 9285. */
  export function encode(bytes: Uint8Array): string;
  /** Reads any text; invalid Base45 gives bytes that encode to another text. */
  export function decode(text: string): Buffer;
}
