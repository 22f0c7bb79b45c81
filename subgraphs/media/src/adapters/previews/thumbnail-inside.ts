import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { open, type Entry, type Options, type ZipFile } from 'yauzl';

const openZip = promisify<string, Options, ZipFile>(open);

/** The entries in which OpenDocument and Office Open XML keep a thumbnail of the first page. */
const places = new Set(['Thumbnails/thumbnail.png', 'docProps/thumbnail.jpeg', 'docProps/thumbnail.png']);
const ENTRY_LIMIT = 10_000;
const THUMBNAIL_LIMIT_BYTES = 20 * 2 ** 20;

/** Reads the thumbnail that a presentation contains; null when there is none, or the file is no presentation. */
export async function thumbnailInside(file: string): Promise<Buffer | null> {
  const zip = await openZip(file, { lazyEntries: true, autoClose: false, validateEntrySizes: true }).catch(() => null);
  if (!zip) return null;
  try {
    const entry = zip.entryCount > ENTRY_LIMIT ? null : await findEntry(zip);
    // An entry that unpacks to more than its stated size ends with an error.
    if (!entry || entry.uncompressedSize > THUMBNAIL_LIMIT_BYTES) return null;
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
