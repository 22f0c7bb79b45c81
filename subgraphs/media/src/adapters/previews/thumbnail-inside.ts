import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { open, type Entry, type Options, type ZipFile } from 'yauzl';

const openZip = promisify<string, Options, ZipFile>(open);

/** Where OpenDocument and Office Open XML keep a picture of the first page. */
const places = new Set(['Thumbnails/thumbnail.png', 'docProps/thumbnail.jpeg', 'docProps/thumbnail.png']);
const MOST_ENTRIES = 10_000;
const MOST_BYTES = 20 * 2 ** 20;

/** The picture of itself that a presentation brings along; null when there is none, or the file is no such thing. */
export async function thumbnailInside(file: string): Promise<Buffer | null> {
  const zip = await openZip(file, { lazyEntries: true, autoClose: false, validateEntrySizes: true }).catch(() => null);
  if (!zip) return null;
  try {
    const entry = zip.entryCount > MOST_ENTRIES ? null : await findEntry(zip);
    // What unpacks to more than it says ends with an error.
    if (!entry || entry.uncompressedSize > MOST_BYTES) return null;
    return await buffer(await promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip))(entry));
  } catch {
    return null;
  } finally {
    zip.close();
  }
}

function findEntry(zip: ZipFile): Promise<Entry | null> {
  return new Promise((resolve, reject) => {
    zip.once('error', reject).once('end', () => resolve(null));
    zip.on('entry', (entry: Entry) => (places.has(entry.fileName) ? resolve(entry) : zip.readEntry()));
    zip.readEntry();
  });
}
