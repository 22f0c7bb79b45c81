/** Reads the name and address of a sender, from `Foyer <no-reply@foyer.test>` or the address alone. */
export function readAddress(from: string): { name: string; address: string } {
  const [, name = '', address = from.trim()] = /^\s*"?([^"<]*?)"?\s*<([^>]+)>\s*$/.exec(from) ?? [];
  return { name, address };
}

/** The domain of an address, in lower case. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
