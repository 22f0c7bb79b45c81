/** Makes a thing at its first use, and keeps it. After a failure, which every waiting user is told, the next use tries again. */
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
