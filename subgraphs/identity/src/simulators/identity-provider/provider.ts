import { z } from 'zod';

import type { State } from './state.ts';

/** The state that every procedure works on. */
export interface Provider {
  state: State;
  now(): Date;
  switches: Switches;
  /** Records the time of a write, for searches that lag behind. */
  touched(id: string): void;
}

/** Makes the embedded provider behave like a real one under load or attack. */
export interface Switches {
  /** Slows failing password checks down: by 0.8 s, and a second more for every five further failures. */
  tarpit: boolean;
  /** Locks a person after this many failures; 0 for never. */
  lockAfter: number;
  /** How long searches lag behind writes. */
  searchLagMs: number;
}

/** `details` of an answer. */
export const details = (changedAt: string, resourceOwner: string) => ({
  sequence: '1',
  changeDate: changedAt,
  resourceOwner,
});

/** `details` of a search; zero is left out. */
export const totals = ({ now }: Provider, count: number) => ({
  ...(count > 0 && { totalResult: String(count) }),
  timestamp: now().toISOString(),
});

/** What a search sees at this moment. */
export const visible = <Row extends { id: string }>({ state, switches, now }: Provider, rows: readonly Row[]): Row[] =>
  rows.filter(({ id }) => now().getTime() - (state.writtenAt.get(id) ?? 0) >= switches.searchLagMs);

const methods = {
  TEXT_QUERY_METHOD_EQUALS: (value: string, wanted: string) => value === wanted,
  TEXT_QUERY_METHOD_STARTS_WITH: (value: string, wanted: string) => value.startsWith(wanted),
  TEXT_QUERY_METHOD_CONTAINS: (value: string, wanted: string) => value.includes(wanted),
  TEXT_QUERY_METHOD_ENDS_WITH: (value: string, wanted: string) => value.endsWith(wanted),
};

/** EQUALS and the other comparisons, each also with `_IGNORE_CASE`. */
export const SearchMethod = z.string().default('TEXT_QUERY_METHOD_EQUALS');

export function matches(value: string, wanted: string, method: string): boolean {
  const anyCase = method.endsWith('_IGNORE_CASE');
  const compare = methods[method.replace(/_IGNORE_CASE$/, '') as keyof typeof methods];
  if (!compare) return false;
  return anyCase ? compare(value.toLowerCase(), wanted.toLowerCase()) : compare(value, wanted);
}
