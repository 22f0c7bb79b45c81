/** Counts what is open by key, such as the streams of a viewer. */
export interface OpenCounts {
  of(key: string): number;
  /**
   * Counts one more.
   *
   * @returns a function that uncounts it, however often it is called
   */
  add(key: string): () => void;
}

export function openCounts(): OpenCounts {
  const counts = new Map<string, number>();
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    of,
    add(key) {
      counts.set(key, of(key) + 1);
      let open = true;
      return () => {
        if (!open) return;
        open = false;
        if (of(key) > 1) counts.set(key, of(key) - 1);
        else counts.delete(key); // keys are as many as there are clients
      };
    },
  };
}
