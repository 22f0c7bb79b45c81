/** An object in the data of subgraphs. */
export type Data = Record<string, unknown>;

/**
 * An object without a prototype: a response name is the client's, and `__proto__` is one.
 * Made by a constructor because V8 keeps `Object.create(null)` as a slow dictionary.
 */
export const Bare = function () {} as unknown as new () => Data;
Bare.prototype = Object.create(null);

export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const own = (data: Data, name: string): unknown => (Object.hasOwn(data, name) ? data[name] : undefined);

/** The name of an object's type, where it was selected. */
export const typenameOf = ({ __typename }: Data): string | undefined =>
  typeof __typename === 'string' && __typename !== '' ? __typename : undefined;

/** Sets an own property, whatever its name. */
export function setOwn(data: Data, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(data, name, { value, configurable: true, enumerable: true, writable: true });
  } else {
    data[name] = value;
  }
}

/** Merges the data of another fetch; lists of equal length are merged item by item. */
export function merge(target: Data, source: unknown): void {
  if (!isData(source)) return;
  for (const name of Object.keys(source)) {
    const value = source[name];
    if (value === undefined) continue;
    const there = own(target, name);
    if (there === undefined || there === null || typeof value !== 'object' || value === null) {
      setOwn(target, name, value);
    } else if (Array.isArray(value)) {
      if (Array.isArray(there) && there.length === value.length) mergeLists(there, value);
      else setOwn(target, name, value);
    } else if (isData(there)) merge(there, value);
  }
}

function mergeLists(target: unknown[], source: readonly unknown[]): void {
  source.forEach((item, at) => {
    const there = target[at];
    if (isData(there) && isData(item)) merge(there, item);
    else target[at] = item;
  });
}
