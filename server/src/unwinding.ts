/** Remembers how to let go of something, and gives it back. */
export type Later = <Held>(held: Held, release: (held: Held) => unknown) => Held;

/**
 * Builds something from parts that must be let go of in the reverse order: when the building fails,
 * what stands so far comes down again; when it succeeds, the result has a `stop` that takes it down.
 */
export async function unwinding<Built extends object>(
  build: (later: Later) => Promise<Built>,
): Promise<Built & { stop(): Promise<void> }> {
  const releases: (() => unknown)[] = [];
  const stop = async () => {
    for (const release of releases.splice(0).toReversed()) await release();
  };
  try {
    const built = await build((held, release) => {
      releases.push(() => release(held));
      return held;
    });
    return { ...built, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
