/** How much an organization may store; null for no limit. `bytes` are those of uploaded files. */
export interface Quota {
  bytes: number | null;
  items: number | null;
}

/** An amount of media. */
export interface Amount {
  bytes: number;
  items: number;
}

export const sum = (one: Amount, other: Amount): Amount => ({
  bytes: one.bytes + other.bytes,
  items: one.items + other.items,
});

/** Whether an amount is within a quota. */
export const fits = ({ bytes, items }: Amount, quota: Quota): boolean =>
  bytes <= (quota.bytes ?? Infinity) && items <= (quota.items ?? Infinity);
