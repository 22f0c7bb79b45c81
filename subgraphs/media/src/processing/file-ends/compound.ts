import type { Ending, FileEnd, ReadAt } from './ending.ts';

const HEADER_BYTES = 512;
const SECTORS_IN_HEADER = 109;
const FREE = 0xffff_ffff;
/** Above it, numbers of sectors mean something else: the end of a chain, or none. */
const LAST_SECTOR = 0xffff_fffa;
const MOST_LISTS = 512;
const MOST_TABLES = 16;

/**
 * Reads how a compound file ends (MS-CFB), such as documents of Word, Excel and PowerPoint before 2007: the last sector that
 * its table of sectors shows as used must begin within the file. Some programs write only a part of that one.
 */
export async function endOfCompound({ head, size, read }: Ending): Promise<FileEnd> {
  if (head.length < HEADER_BYTES) return 'cut';
  const shift = head.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return 'whole'; // none of ours
  const sectorBytes = 2 ** shift;
  const placeOf = (sector: number) => (sector + 1) * sectorBytes;
  const isThere = (sector: number) => placeOf(sector) < size;
  const tables = await tablesIn(head, (sector) => read(placeOf(sector), sectorBytes), isThere);
  if (!tables || !tables.every(isThere)) return 'cut';
  const perTable = sectorBytes / 4;
  for (let table = tables.length - 1; table >= Math.max(0, tables.length - MOST_TABLES); table -= 1) {
    const entries = numbersIn(await read(placeOf(tables[table] ?? 0), sectorBytes));
    if (entries.length < perTable) return 'cut';
    const used = entries.findLastIndex((entry) => entry !== FREE);
    if (used >= 0) return isThere(table * perTable + used) ? 'whole' : 'cut';
  }
  return 'whole';
}

/** Returns the sectors of the table, which the header lists, and behind it a chain of lists; null where one is missing. */
async function tablesIn(
  head: Buffer,
  sectorOf: (sector: number) => ReturnType<ReadAt>,
  isThere: (sector: number) => boolean,
): Promise<number[] | null> {
  const isTable = (sector: number) => sector <= LAST_SECTOR;
  const tables = numbersIn(head.subarray(76, 76 + 4 * SECTORS_IN_HEADER)).filter(isTable);
  let next = head.readUInt32LE(68);
  for (let lists = 0; next <= LAST_SECTOR && lists < MOST_LISTS; lists += 1) {
    if (!isThere(next)) return null;
    const numbers = numbersIn(await sectorOf(next));
    tables.push(...numbers.slice(0, -1).filter(isTable));
    next = numbers.at(-1) ?? FREE;
  }
  return tables;
}

const numbersIn = (bytes: Buffer) => Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readUInt32LE(4 * at));
