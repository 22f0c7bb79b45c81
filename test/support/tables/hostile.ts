/** Hostile input from a seed: the same seed gives the same input. */
export interface Hostile {
  below(limit: number): number;
  oneOf<Item>(items: readonly Item[]): Item;
  /** An unusual text, with any character and lone surrogates. */
  text(): string;
  /** JSON, also in forms that JSON.stringify never writes. */
  json(): string;
  /** Bytes of a header's value, without line breaks. */
  headerBytes(): Buffer;
  /** The same JSON, with one of its values replaced by another one. */
  spoil(value: unknown): string;
  /** A part of a path as it is sent. */
  piece(): string;
}

const nested = (open: string, inner: string, close: string, times: number) =>
  `${open.repeat(times)}${inner}${close.repeat(times)}`;

const texts = [
  '',
  ' ',
  '😀',
  '\ud800',
  'a\udc00b',
  '\0',
  'a\0b',
  'a\r\nset-cookie: a=b',
  '\x7f\x1b[31m',
  '\u202eevil\u2066',
  '\ufeff',
  'İıſK',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '9'.repeat(400),
  '99999999999999999999',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '%',
  '%00',
  '%ff%fe',
  '%e0%a4%a',
  '\\evil',
  '//evil.test/',
  "' OR '1'='1'; --",
  '${7*7}{{7*7}}<%= 7 %>',
  '<script>alert(1)</script>',
  '{"a":',
  'null',
  'undefined',
  'true',
  '0a0c0000-0000-4000-8000-000000000001',
  '{0A0C0000-0000-4000-8000-000000000001}',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  'x'.repeat(300),
  'x'.repeat(70_000),
  'é'.repeat(5_000),
  '𝒳'.repeat(2_000),
];

/** As text, because half of them can't be written from values. */
const literals = [
  'null',
  'true',
  '0',
  '-1',
  '-0',
  '1.5',
  '1e308',
  '1e400',
  '9007199254740993',
  '2147483648',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"toString":1,"valueOf":null,"length":-1,"then":{}}',
  '{"":""}',
  '"\\ud800"',
  '"\\u0000"',
  nested('[', '', ']', 60),
  nested('[', '', ']', 5_000),
  nested('{"a":', '1', '}', 50_000),
  `[${'1,'.repeat(20_000)}1]`,
  `{${Array.from({ length: 2_000 }, (_, at) => `"k${at}":${at}`).join(',')}}`,
];

const pieces = [
  '%00',
  '%ff',
  '%',
  '%zz',
  '..',
  '%2e%2e',
  '..%2f..%2fetc',
  '%5cevil',
  '\\evil',
  '%f0%9f%98%80',
  '%ed%a0%80',
  '__proto__',
  'NaN',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  "'",
  '%0d%0aset-cookie:%20a=b',
  ';a=b',
  '@evil.test',
  '%20',
  'x'.repeat(5_000),
  '[]',
  '{}',
  '*',
  '\xff\xfe',
];

/** Characters that Node's parser refuses, so that nothing after it would be tested. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const CONTROL = /[\0-\x08\n-\x1f\x7f]/g;

export function hostile(seed: number): Hostile {
  let state = seed >>> 0;
  /** mulberry32 */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const noise = () => String.fromCharCode(...Array.from({ length: 1 + below(40) }, () => below(0x1_00_00)));
  const text = () => (below(5) === 0 ? noise() : oneOf(texts));

  const json = () => (below(2) === 0 ? JSON.stringify(text()) : oneOf(literals));

  function spoil(value: unknown): string {
    const places = placesIn(value);
    const spoiled = places.length > 0 ? oneOf(places) : value;
    const write = (part: unknown): string => {
      if (part === spoiled) return json();
      if (Array.isArray(part)) return `[${part.map(write).join(',')}]`;
      if (typeof part !== 'object' || part === null) return JSON.stringify(part) ?? 'null';
      return `{${Object.entries(part)
        .map(([name, inner]) => `${JSON.stringify(name)}:${write(inner)}`)
        .join(',')}}`;
    };
    return write(value);
  }

  return {
    below,
    oneOf,
    text,
    json,
    spoil,
    headerBytes: () =>
      below(8) === 0
        ? Buffer.from(
            Array.from({ length: 1 + below(60) }, () => below(256)).filter((byte) => byte !== 10 && byte !== 13),
          )
        : Buffer.from(text().replaceAll(CONTROL, '').slice(0, 3_000)),
    piece: () => oneOf(pieces),
  };
}

/** Everything within a value, without the value itself. */
const placesIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap((part) => [part, ...placesIn(part)]) : [];
