import { OURS, type Attacked } from './tables/attacks.ts';
import { hostile, type Hostile } from './tables/hostile.ts';

/** The seed of the attacks: `HOSTILE_SEED=7 t test/hostile-input.test.ts`. */
const SEED = Number(process.env['HOSTILE_SEED'] ?? 20_261_122);
/** The number of attacks of each kind. */
const ATTACKS = Number(process.env['HOSTILE_ATTACKS'] ?? 400);
const AT_ONCE = 4;

/** The forbidden outcomes of an attack: an internal error, or a connection that ends without an answer. */
const FAULTS = new Set([500, 1006, 1011, 4500]);

/** Attacks many times. @returns the failures, each with the seed that repeats it */
export async function faultsOf(attack: (draw: Hostile) => Promise<Attacked>): Promise<unknown[]> {
  const faults: unknown[] = [];
  const one = async (seed: number) => {
    try {
      const attacked = await attack(hostile(seed));
      if (FAULTS.has(attacked.status) || OURS.test(attacked.text)) faults.push({ seed, ...attacked });
    } catch (error) {
      faults.push({ seed, error: String(error) });
    }
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, worker) => {
      for (let at = worker; at < ATTACKS; at += AT_ONCE) await one(SEED + at);
    }),
  );
  return faults;
}

/**
 * A client beside the attackers that keeps sending requests.
 *
 * @param ask returns whether the answer was right
 * @returns a function that ends it, and returns how often the answer was right, and the other answers
 */
export function beside(ask: () => Promise<true | object>) {
  const over = new AbortController();
  let right = 0;
  const wrong: unknown[] = [];
  const once = async () => {
    const heard = await ask().catch((error: unknown) => ({ error }));
    if (heard === true) right += 1;
    else wrong.push(heard);
  };
  const asking = (async () => {
    do await once();
    while (!over.signal.aborted);
  })();
  return async () => {
    over.abort();
    await asking;
    return { right: right > 0, wrong };
  };
}

/** The log lines about bugs, and all output besides the log. */
export const bugsIn = (printed: string): string[] =>
  printed
    .split('\n')
    .filter((line) => line !== '' && (!line.startsWith('{') || /"level":[56]0/.test(line)))
    .map((line) => line.slice(0, 900));
