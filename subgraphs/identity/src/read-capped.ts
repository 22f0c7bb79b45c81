/**
 * The text of an answer from outside, which may have any length.
 *
 * @param most bytes
 * @throws {RangeError} as soon as there are more; the rest is not read
 */
export async function readCapped({ body }: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Whoever leaves the loop has cancelled the stream, and with it the connection.
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > most) throw new RangeError(`the answer is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
