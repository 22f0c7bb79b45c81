import { endOfCompound } from './compound.ts';
import type { Ending, EndReader, FileEnd } from './ending.ts';
import { endOfBoxes } from './heif.ts';
import { endOfBmp, endOfCodestream, endOfGif, endOfIcon, endOfJpeg, endOfPng, endOfWebp } from './pictures.ts';
import { endOfPdf, endOfRtf, endOfXml } from './texts.ts';
import { endOfTiff } from './tiff.ts';
import { endOfZip } from './zip.ts';

/** Formats of pictures and documents that say where they end, by their first characters; `?` stands for any. */
const formats: readonly [string, EndReader][] = [
  ['\xff\xd8\xff', endOfJpeg],
  ['\x89PNG\r\n', endOfPng],
  ['GIF8?a', endOfGif],
  ['RIFF????WEBP', endOfWebp],
  ['II*\0', endOfTiff],
  ['MM\0*', endOfTiff],
  ['II+\0', endOfTiff],
  ['MM\0+', endOfTiff],
  ['????ftyp', endOfBoxes],
  ['\0\0\0\x0cjP  ', endOfBoxes],
  ['\0\0\0\x0cJXL ', endOfBoxes],
  ['\xff\x4f\xff\x51', endOfCodestream],
  ['BM????\0\0\0\0', endOfBmp],
  ['\0\0\x01\0', endOfIcon],
  ['%PDF-', endOfPdf],
  // Presentations and other documents of offices are archives, and those before 2007 compound files.
  ['PK\x03\x04', endOfZip],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', endOfCompound],
  ['{\\rtf', endOfRtf],
  ['<?xml', endOfXml],
  ['<svg', endOfXml],
  ['<!DOCTYPE svg', endOfXml],
  ['\xef\xbb\xbf<?xml', endOfXml],
  ['\xef\xbb\xbf<svg', endOfXml],
  ['\xff\xfe<\0?\0x\0m\0l', endOfXml],
  ['\xfe\xff\0<\0?\0x\0m\0l', endOfXml],
];

/** Finds out whether a picture or document ends early. What has another format is taken for whole. */
export async function readDocumentEnd(ending: Ending): Promise<FileEnd> {
  const start = ending.head.toString('latin1', 0, 16);
  const format = formats.find(([begins]) =>
    Array.from({ length: begins.length }).every((_, at) => begins[at] === '?' || begins[at] === start[at]),
  );
  return format ? format[1](ending) : 'whole';
}
