import { Refusal } from '@foyer/shared/errors';

import type { Terminal } from './terminal.ts';

interface Outcome {
  done: boolean;
  said: string;
  facts: Record<string, unknown>;
}

/** Works on each item; a refusal doesn't stop the others. Prints all outcomes at the end. */
export async function forEach<Item extends string | number>(
  terminal: Terminal,
  what: string,
  items: readonly Item[],
  work: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const progress = terminal.progress(what);
  try {
    for (const item of items) {
      if (terminal.signal.aborted) throw new Error(`stopped after ${outcomes.length} of ${items.length} ${what}`);
      outcomes.push(await work(item).catch((error: unknown) => refusedOf(item, error)));
      progress.to(outcomes.length, items.length);
    }
  } finally {
    progress.end();
  }
  const facts = outcomes.map((outcome) => ({ ...outcome.facts, done: outcome.done }));
  terminal.say(facts, outcomes.map(({ said }) => said).join('\n') || `no ${what}`);
  return outcomes;
}

function refusedOf(item: string | number, error: unknown): Outcome {
  if (!(error instanceof Refusal)) throw error;
  return { done: false, said: `${item}: ${error.message}`, facts: { item, code: error.reason } };
}
