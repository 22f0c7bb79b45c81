/** A track of a source, as its author described it. */
export interface Track {
  /** As the file states it: ISO 639-2, BCP 47, or anything else. */
  language: string | null;
  title: string | null;
  /** What it is for, by ffmpeg's names, such as forced and hearing_impaired. */
  dispositions: readonly string[];
}

/** How a track is presented to viewers. */
export interface Rendition {
  /** Its folder under `hls/`, such as `audio-2-de`. */
  folder: string;
  /** Unique within its group. */
  name: string;
  /** BCP 47; null when it is unknown. */
  language: string | null;
  isDefault: boolean;
  /** Whether a player may choose it by the viewer's settings. */
  isAutomatic: boolean;
  isForced: boolean;
  /** Media characteristics, as Apple defines them. */
  characteristics: string[];
}

/** The most that a language tag may have, so that folders keep short names. */
const TAG_LENGTH = 35;
const NAME_LENGTH = 100;

/** Returns the shortest BCP 47 tag of a language, such as `de` for `ger` and `deu`; null when there is none. */
export function languageTag(stated: string | null): string | null {
  try {
    const [tag = ''] = Intl.getCanonicalLocales((stated ?? '').trim().replaceAll('_', '-'));
    return tag.length > TAG_LENGTH || ['und', 'mis', 'mul', 'zxx'].includes(tag.toLowerCase()) ? null : tag;
  } catch {
    return null;
  }
}

/** Describes the tracks of one type for players. The first track of sound is the default; subtitles are shown on request. */
export function describeRenditions(type: 'audio' | 'subtitles', tracks: readonly Track[]): Rendition[] {
  const names = new Set<string>();
  const kinds = new Set<string>();
  return tracks.map((track, at) => {
    const language = languageTag(track.language);
    const isForced = type === 'subtitles' && track.dispositions.includes('forced');
    const characteristics = characteristicsOf(type, track);
    // Players choose by these: of several equal ones only the first can be meant.
    const kind = JSON.stringify([language, isForced, characteristics]);
    const isAutomatic = !kinds.has(kind);
    kinds.add(kind);
    const isDefault = type === 'audio' && at === 0;
    const name = unused(names, nameOf(track, language) ?? `${type === 'audio' ? 'Audio' : 'Subtitles'} ${at + 1}`);
    names.add(name);
    return {
      folder: `${type}-${at + 1}-${language ?? 'und'}`,
      name,
      language,
      isDefault,
      isAutomatic,
      isForced,
      characteristics,
    };
  });
}

function characteristicsOf(type: 'audio' | 'subtitles', { dispositions }: Track): string[] {
  if (type === 'audio') return dispositions.includes('visual_impaired') ? ['public.accessibility.describes-video'] : [];
  return dispositions.includes('hearing_impaired')
    ? ['public.accessibility.transcribes-spoken-dialog', 'public.accessibility.describes-music-and-sound']
    : [];
}

/** Returns the title that the file gives, else the language in its own words. A quoted string has no quotes or line breaks. */
function nameOf({ title }: Track, language: string | null): string | null {
  const given = (title ?? '')
    .replaceAll(/[\p{Cc}"]/gu, ' ')
    .trim()
    .slice(0, NAME_LENGTH);
  if (given !== '') return given;
  if (language === null) return null;
  return new Intl.DisplayNames([language, 'en'], { type: 'language', fallback: 'none' }).of(language) ?? language;
}

function unused(names: ReadonlySet<string>, name: string): string {
  if (!names.has(name)) return name;
  for (let count = 2; ; count++) if (!names.has(`${name} (${count})`)) return `${name} (${count})`;
}
