/** A value in the storage of the browser, which every part of the page sees change. */
export interface Stored<Value> {
  read(): Value | undefined;
  write(value: Value | undefined): void;
  /** Calls back after each change, also by other tabs; returns a function that stops it. */
  watch(changed: () => void): () => void;
}

/** @param isWhole whether what is stored, perhaps by an older version of this page, can be used */
export function stored<Value>(
  name: string,
  isWhole: (value: unknown) => value is Value,
  storage: Storage = localStorage,
): Stored<Value> {
  const key = `foyer.${name}`;
  const listeners = new Set<() => void>();
  let text: string | null = null;
  let value: Value | undefined;
  return {
    read() {
      const now = storage.getItem(key);
      if (now !== text) [text, value] = [now, parsed(now, isWhole)]; // the same text is the same object
      return value;
    },
    write(next) {
      if (next === undefined) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(next));
      for (const listener of listeners) listener();
    },
    watch(changed) {
      const elsewhere = (event: StorageEvent) => event.key === key && changed();
      listeners.add(changed);
      window.addEventListener('storage', elsewhere);
      return () => {
        listeners.delete(changed);
        window.removeEventListener('storage', elsewhere);
      };
    },
  };
}

function parsed<Value>(text: string | null, isWhole: (value: unknown) => value is Value): Value | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isWhole(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a value has these fields, all of them texts. */
export const hasTexts = <Name extends string>(value: unknown, ...names: Name[]): value is Record<Name, string> =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => isText((value as Record<string, unknown>)[name]));
