/** Creates a value at its first use, and keeps it. A failure rejects for every waiting caller, and the next use tries again. */
export function lazy<Thing>(make: () => Promise<Thing>): () => Promise<Thing> {
  let made: Promise<Thing> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
