import { expect, it } from 'vitest';

import { openFontStore } from './font-store.ts';
import { shapeText } from './shape-text.ts';

it('a character that no font has is drawn once, in however many texts it is', async () => {
  const store = openFontStore();
  async function outlinesOf(text: string) {
    for (;;) {
      const glyphs = shapeText(store, text, 400);
      if (!store.lacks()) return glyphs.map(({ outline }) => outline);
      await store.readMissing();
    }
  }

  const [drawn, again] = await outlinesOf('\ue000\ue000');
  const [other, third] = await outlinesOf('\ue001\ue000');

  expect(again).toBe(drawn);
  expect(third).toBe(drawn);
  expect(other).not.toBe(drawn);
});
