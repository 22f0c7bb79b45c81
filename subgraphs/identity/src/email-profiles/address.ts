/** Name and address of one who writes, from `Foyer <no-reply@foyer.test>` or the address alone. */
export function readAddress(from: string): { name: string; address: string } {
  const [, name = '', address = from.trim()] = /^\s*"?([^"<]*?)"?\s*<([^>]+)>\s*$/.exec(from) ?? [];
  return { name, address };
}

/** The domain of an address, in small letters. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
