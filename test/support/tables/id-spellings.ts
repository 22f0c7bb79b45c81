const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Spellings of the same id, which get the same answer. */
export const alike = (id: string): string => (UUID.test(id) ? id.toUpperCase() : /^\d+$/.test(id) ? `00${id}` : id);

/** Spellings that PostgreSQL or a lenient parser accepts, and we refuse. */
export const misspelled = (id: string): string[] => {
  if (UUID.test(id)) return [`{${id}}`, `urn:uuid:${id}`, id.replaceAll('-', ''), `{${id.toUpperCase()}}`];
  if (/^\d+$/.test(id)) return [`{${id}}`, `+${id}`, ` ${id}`, `${id}.0`];
  return [`{${id}}`, `urn:uuid:${id}`];
};

/** A copy of a value, with every id at a path changed. */
export function changedAt(value: unknown, path: readonly string[], change: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => changedAt(each, path, change));
  const [step, ...rest] = path;
  if (step === undefined) return typeof value === 'string' ? change(value) : value;
  const holder = value as Record<string, unknown>;
  if (!(step in holder)) throw new Error(`the example has no ${path.join('.')}`);
  return { ...holder, [step]: changedAt(holder[step], rest, change) };
}
