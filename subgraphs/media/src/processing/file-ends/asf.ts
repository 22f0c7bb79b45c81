import type { Ending, FileEnd } from './ending.ts';

const ASF_FILE_PROPERTIES = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex');
const ASF_BROADCAST = 1;

/** Reads how a Windows Media file (ASF) ends: its properties state its size, except those of a broadcast. */
export function endOfAsf({ head, size }: Ending): FileEnd {
  const at = head.indexOf(ASF_FILE_PROPERTIES);
  if (at < 0 || at + 92 > head.length || head.readUInt32LE(at + 88) & ASF_BROADCAST) return 'whole';
  return head.readBigUInt64LE(at + 40) > BigInt(size) ? 'cut' : 'whole';
}
