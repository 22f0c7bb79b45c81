import type { Ending, FileEnd } from './ending.ts';

const LINEARIZED_WITHIN = 1_024;
const MARK_WITHIN = 64;

/**
 * Reads how a PDF ends (ISO 32000-1, 7.5.5): with a mark. Behind that of an earlier version, or of the first page of a file
 * for the web (annex F), more objects follow.
 */
export function endOfPdf({ head, tail, size }: Ending): FileEnd {
  const start = head.toString('latin1', 0, LINEARIZED_WITHIN);
  const stated = start.includes('/Linearized') ? Number(/\/L\s+(\d{1,15})\b/.exec(start)?.[1] ?? 0) : 0;
  const mark = tail.lastIndexOf('%%EOF');
  // The mark is among the last bytes; a line break behind it may be missing.
  if (mark < 0 || size - tail.length + mark < stated - MARK_WITHIN) return 'cut';
  return /\b(obj|xref|stream)\b/.test(tail.toString('latin1', mark)) ? 'cut' : 'whole';
}

/** Reads how a document of RTF ends (RTF 1.9.1): with the end of its first group. Of a large one only the end is read. */
export function endOfRtf({ head, tail, size }: Ending): FileEnd {
  const last = tail.findLastIndex((byte) => byte > 0x20);
  if (tail[last] !== 0x7d) return 'cut';
  if (size > head.length) return 'whole';
  const text = head.toString('latin1');
  if (text.includes('\\bin')) return 'whole'; // bytes that are no text
  const groups = text.replaceAll(/\\[\\{}]/g, '');
  return groups.split('{').length > groups.split('}').length ? 'cut' : 'whole';
}

const ROOT_WITHIN = 65_536;

/** Reads how a document of XML ends, such as SVG (XML 1.0, 2.1): with the end of its root, behind which only remarks follow. */
export function endOfXml({ head, tail }: Ending): FileEnd {
  const start = withoutRemarks(plain(head.subarray(0, ROOT_WITHIN))).trim();
  const root = /<([A-Za-z_][\w:.-]*)/.exec(start)?.[1];
  if (!root) return head.length > ROOT_WITHIN ? 'whole' : 'cut';
  const end = withoutRemarks(plain(tail)).trim();
  const at = end.lastIndexOf(`</${root}`);
  // An empty root is the only element.
  if (at < 0) return start.lastIndexOf('<') === 0 && start.endsWith('/>') ? 'whole' : 'cut';
  return /^\s*>[^<]*$/.test(end.slice(at + root.length + 2)) ? 'whole' : 'cut';
}

/** In UTF-16, each letter of the marks has a zero beside it. */
const plain = (bytes: Buffer) =>
  bytes
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^[\xef\xbb\xbf\xfe\xff]+/, '');

/** Leaves out comments, instructions and declarations; one that does not end stays. */
function withoutRemarks(text: string): string {
  const kept: string[] = [];
  const remark = /<[!?]/g;
  let at = 0;
  for (let open = remark.exec(text); open; open = remark.exec(text)) {
    const closing = text.startsWith('<!--', open.index) ? '-->' : text[open.index + 1] === '?' ? '?>' : '>';
    const end = text.indexOf(closing, remark.lastIndex);
    if (end < 0) break;
    kept.push(text.slice(at, open.index));
    at = end + closing.length;
    remark.lastIndex = at;
  }
  return kept.join('') + text.slice(at);
}
