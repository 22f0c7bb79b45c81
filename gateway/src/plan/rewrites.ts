import type { FetchNode } from '@apollo/query-planner';

import { isData, own, setOwn, typenameOf, type Data } from './data.ts';
import type { Types } from './types.ts';

type Rewrite = NonNullable<FetchNode['inputRewrites']>[number];

const CONDITION = '... on ';

/** Rewrites the data sent to a subgraph, or received from it, by the plan: names of interface objects, and aliases. */
export function rewrite(types: Types, rewrites: readonly Rewrite[] | undefined, data: unknown): void {
  for (const one of rewrites ?? []) {
    const name = one.path.at(-1);
    if (name !== undefined) atPath(types, one.path.slice(0, -1), data, (found) => apply(one, name, found));
  }
}

function apply(one: Rewrite, name: string, data: Data): void {
  if (one.kind === 'ValueSetter') return setOwn(data, name, one.setValueTo);
  const value = own(data, name);
  if (value === undefined || value === null) return;
  setOwn(data, one.renameKeyTo, value);
  data[name] = undefined;
}

function atPath(types: Types, path: readonly string[], value: unknown, found: (data: Data) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) atPath(types, path, item, found);
    return;
  }
  if (!isData(value)) return;
  const [first, ...rest] = path;
  if (first === undefined) return found(value);
  if (!first.startsWith(CONDITION)) return atPath(types, rest, own(value, first), found);
  const typename = typenameOf(value);
  // An object whose type was not selected meets the condition: the plan relies on it.
  if (!typename || types.meets(typename, first.slice(CONDITION.length))) atPath(types, rest, value, found);
}
