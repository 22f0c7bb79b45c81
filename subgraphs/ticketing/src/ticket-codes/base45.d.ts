declare module 'base45' {
  /** RFC 9285. */
  export function encode(bytes: Uint8Array): string;
  /** Reads any text somehow; what is not Base45 gives bytes that encode to something else. */
  export function decode(text: string): Buffer;
}
