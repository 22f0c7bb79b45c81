/**
 * Returns a function by which callers take turns: so many begin at once, all others in later turns of the event loop, the first
 * first. Between two turns everything else goes on, such as requests; and what a turn has made is garbage before the next one
 * makes more.
 *
 * @param most how many may begin in one turn
 */
export function inTurns(most: number): () => Promise<void> | undefined {
  let waiting: (() => void)[] = [];
  let left = most;

  function nextTurn() {
    const begin = waiting.slice(0, most);
    waiting = waiting.slice(most);
    left = most - begin.length;
    for (const go of begin) go();
    if (begin.length > 0) setImmediate(nextTurn);
  }

  return () => {
    if (left === most) setImmediate(nextTurn);
    if (left > 0) {
      left -= 1;
      return undefined;
    }
    return new Promise((resolve) => void waiting.push(resolve));
  };
}
