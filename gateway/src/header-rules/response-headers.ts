import { headerValue } from '@foyer/shared/http/header-value';
import type { Reply } from '@foyer/shared/http/request';

import { isReturnableByPattern } from './names.ts';
import { selects, type HeaderRules, type ResponseRule } from './rules.ts';

/** The headers of a subgraph's response, by their names in lower case. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The length of all collected values, in characters: more is left out, as clients would not read such a response. */
const LONGEST = 8_192;

type Made = Map<string, { values: readonly string[]; merge: 'first' | 'last' | 'append' }>;

/** Adds what the rules make of the headers of one subgraph's response to those of the response to the client. */
export function collectResponseHeaders(
  { all, subgraphs }: HeaderRules,
  subgraph: string,
  received: ReceivedHeaders,
  reply: Reply,
): void {
  const own = Object.hasOwn(subgraphs, subgraph) ? subgraphs[subgraph]?.response : undefined;
  const rules = own ? [...all.response, ...own] : all.response;
  if (rules.length === 0) return;
  const collected = (reply.headers ??= new Map());
  let length = [...collected.values()].flat().reduce((sum, value) => sum + value.length, 0);
  for (const [name, { values, merge }] of apply(rules, received)) {
    const before = collected.get(name);
    if (before && merge === 'first') continue;
    length += values.reduce((sum, value) => sum + value.length, 0);
    if (length > LONGEST) return;
    collected.set(name, before && merge === 'append' ? [...before, ...values] : values);
  }
}

function apply(rules: readonly ResponseRule[], received: ReceivedHeaders): Made {
  const made: Made = new Map();
  for (const { propagate, insert, remove } of rules) {
    if (propagate) propagateInto(made, propagate, received);
    if (insert) made.set(insert.name, { values: [insert.value], merge: 'last' });
    if (remove) for (const name of made.keys()) if (selects(remove, name)) made.delete(name);
  }
  return made;
}

function propagateInto(
  made: Made,
  { named, matching, rename, default: otherwise, merge }: NonNullable<ResponseRule['propagate']>,
  received: ReceivedHeaders,
): void {
  if (named !== undefined) {
    const found = valuesIn(received, named);
    const values = found.length > 0 || otherwise === undefined ? found : [otherwise];
    if (values.length > 0) made.set(rename ?? named, { values, merge });
    return;
  }
  for (const name of Object.keys(received)) {
    if (!matching?.test(name) || !isReturnableByPattern(name)) continue;
    const values = valuesIn(received, name);
    if (values.length > 0) made.set(name, { values, merge });
  }
}

/** Values that no header may hold are left out. */
const valuesIn = (received: ReceivedHeaders, name: string): string[] =>
  [Object.hasOwn(received, name) ? (received[name] ?? []) : []]
    .flat()
    .filter((value) => headerValue(value) !== undefined);
