import type { FetchNode } from '@apollo/query-planner';

import { Bare, isData, merge, own, typenameOf, type Data } from './data.ts';
import { rewrite } from './rewrites.ts';
import type { Types } from './types.ts';

type Selections = NonNullable<FetchNode['requires']>;

/** The representations that are sent to a subgraph to fetch more fields of entities. */
export interface Representations {
  /** Each representation once, however many entities it stands for. */
  distinct: Data[];
  /** The entities that have a representation: their index, and that of the representation in `distinct`. */
  places: { entity: Data; index: number; at: number }[];
}

/** Reads from each entity the fields that the fetch requires; entities that lack any of them are left out. */
export function represent(types: Types, entities: readonly Data[], fetch: FetchNode): Representations {
  const distinct: Data[] = [];
  const places: Representations['places'] = [];
  const { requires = [], inputRewrites } = fetch;
  const known: Known = {};
  for (let index = 0; index < entities.length; index += 1) {
    const entity = entities[index] as Data;
    const found = lookUp(types, entity, requires, known);
    if (!found) continue;
    if (found.at === undefined) {
      const representation = select(types, entity, requires);
      if (!representation?.['__typename']) continue;
      rewrite(types, inputRewrites, representation);
      found.at = distinct.push(representation) - 1;
    }
    places.push({ entity, index, at: found.at });
  }
  return { distinct, places };
}

/** The representations by the values of their fields, one level for each field. */
interface Known {
  /** The representation with these values: its index in `distinct`. */
  at?: number;
  next?: Map<unknown, Known>;
}

/**
 * Looks up the representation of an entity by its values, without making it: an entity may occur hundreds of times. Null
 * when the entity lacks any of them.
 */
function lookUp(types: Types, source: Data, selections: Selections, from: Known): Known | null {
  let known = from;
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') {
      const { typeCondition } = selection;
      const typename = typenameOf(source);
      const applies = !typeCondition || !typename || types.meets(typename, typeCondition);
      known = (applies && lookUp(types, source, selection.selections, known)) || step(known, undefined);
    } else {
      const value = own(source, selection.alias ?? selection.name);
      if (value === undefined) return null;
      const isScalar = typeof value !== 'object' || value === null;
      // The first character tells the text of an object from a string.
      known = step(known, isScalar ? value : `\0${JSON.stringify(selectWithin(types, value, selection.selections))}`);
    }
  }
  return known;
}

function step(known: Known, value: unknown): Known {
  const next = (known.next ??= new Map<unknown, Known>());
  const there = next.get(value);
  if (there) return there;
  const made: Known = {};
  next.set(value, made);
  return made;
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
