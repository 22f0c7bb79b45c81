/** All cookies of one name in a Cookie header (RFC 6265), in the order sent. */
export const cookiesNamed = (name: string, header: string | undefined): string[] =>
  (header?.split(';') ?? [])
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1).replace(/^"(.*)"$/, '$1'))
    .filter((value) => value !== '');
