import type { FetchNode } from '@apollo/query-planner';

import { Bare, isData, merge, own, typenameOf, type Data } from './data.ts';
import { rewrite } from './rewrites.ts';
import type { Types } from './types.ts';

type Selections = NonNullable<FetchNode['requires']>;

/** The representations that are sent to a subgraph to fetch more fields of entities. */
export interface Representations {
  /** Each representation once, however many entities it stands for. */
  distinct: Data[];
  /** The types of those entities; a representation may name an interface instead. */
  typenames: (string | undefined)[];
  /** The entities that have a representation: their index, and that of the representation in `distinct`. */
  places: { entity: Data; index: number; at: number }[];
}

/** Reads from each entity the fields that the fetch requires; entities that lack any of them are left out. */
export function represent(types: Types, entities: readonly Data[], fetch: FetchNode): Representations {
  const distinct: Data[] = [];
  const typenames: (string | undefined)[] = [];
  const places: Representations['places'] = [];
  const known = new Map<string, number>();
  for (const [index, entity] of entities.entries()) {
    const representation = select(types, entity, fetch.requires ?? []);
    if (!representation?.['__typename']) continue;
    rewrite(types, fetch.inputRewrites, representation);
    const typename = typenameOf(entity);
    const key = `${typename} ${JSON.stringify(representation)}`;
    let at = known.get(key);
    if (at === undefined) {
      at = distinct.push(representation) - 1;
      typenames.push(typename);
      known.set(key, at);
    }
    places.push({ entity, index, at });
  }
  return { distinct, typenames, places };
}

/** The selected part of an entity; null when the entity lacks any of it. */
function select(types: Types, source: Data | null, selections: Selections): Data | null {
  if (source === null) return null;
  const result = new Bare();
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') {
      const { typeCondition } = selection;
      const typename = typenameOf(source);
      if (!typeCondition || !typename || !types.meets(typename, typeCondition)) continue;
      merge(result, select(types, source, selection.selections));
    } else {
      const name = selection.alias ?? selection.name;
      const value = own(source, name);
      // The field is missing: an error already says so.
      if (value === undefined) return null;
      result[name] = selectWithin(types, value, selection.selections);
    }
  }
  return result;
}

function selectWithin(types: Types, value: unknown, selections: Selections | undefined): unknown {
  if (!selections) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => selectWithin(types, item, selections));
  return isData(value) ? select(types, value, selections) : null;
}
