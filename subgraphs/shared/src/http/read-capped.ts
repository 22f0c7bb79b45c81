/**
 * Reads the text of an external response up to a maximum length.
 *
 * @param most bytes
 * @throws {RangeError} as soon as there are more; the rest is not read
 */
export async function readCapped({ body }: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the stream, and with it the connection.
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > most) throw new RangeError(`the answer is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
