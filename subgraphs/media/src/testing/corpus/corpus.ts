import { containers } from './containers.ts';
import { damaged } from './damaged.ts';
import { pictures } from './pictures.ts';
import { sounds } from './sounds.ts';
import type { OddSource } from './source.ts';
import { texts } from './texts.ts';
import { timing } from './timing.ts';

/** All odd sources, by what is odd about them. */
export const corpus: readonly { about: string; sources: readonly OddSource[] }[] = [
  { about: 'Containers and codecs', sources: containers },
  { about: 'Picture', sources: pictures },
  { about: 'Time', sources: timing },
  { about: 'Sound', sources: sounds },
  { about: 'Text and other tracks', sources: texts },
  { about: 'Damage', sources: damaged },
];
