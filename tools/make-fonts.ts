/**
 * Makes the two fonts of the ticket PDF from Noto Sans SC, which has 10 MB for each weight. The result is committed: run it
 * again only when the font changes.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FONT = '@expo-google-fonts/noto-sans-sc';
const target = join(import.meta.dirname, '../subgraphs/ticketing/fonts');

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The two-byte rows of GB 2312: symbols, and 6,763 Chinese characters. */
function gb2312(): string {
  const decoder = new TextDecoder('gbk');
  const pairs = range(0xa1, 0xf7).flatMap((row) => range(0xa1, 0xfe).flatMap((cell) => [row, cell]));
  return decoder.decode(Uint8Array.from(pairs)).replaceAll(/[\uFFFD\uE000-\uF8FF]/g, '');
}

/** Latin with the letters of Europe and Vietnam, punctuation, currency signs, arrows. */
const latin = [
  range(0x20, 0x7e),
  range(0xa0, 0x24f),
  range(0x1ea0, 0x1ef9),
  range(0x2010, 0x205e),
  range(0x20a0, 0x20bf),
  range(0x2190, 0x2193),
];

const folder = mkdtempSync(join(tmpdir(), 'foyer-fonts-'));
try {
  const packages = [`${FONT}@0.4.3`, 'subset-font@2.9.0'];
  execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', ...packages], {
    stdio: 'inherit',
  });
  const require = createRequire(join(folder, 'made.js'));
  const subsetFont = require('subset-font') as (font: Buffer, text: string, options: object) => Promise<Buffer>;

  const text = String.fromCodePoint(...latin.flat()) + gb2312();
  for (const weight of ['400Regular', '700Bold']) {
    const name = `NotoSansSC_${weight}.ttf`;
    const whole = readFileSync(join(folder, 'node_modules', FONT, weight, name));
    // TrueType, not WOFF2: pdfkit embeds the latter whole. Without vertical forms and kerning.
    writeFileSync(join(target, name), await subsetFont(whole, text, { targetFormat: 'truetype', noHinting: true }));
  }
  copyFileSync(join(folder, 'node_modules', FONT, 'LICENSE_FONT'), join(target, 'OFL.txt'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
