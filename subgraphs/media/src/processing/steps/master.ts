import type { Rung } from './ladder.ts';
import type { Bandwidth } from './playlists.ts';
import type { Rendition } from './renditions.ts';

/** A rung that was made. */
export interface MadeRung extends Rung, Bandwidth {
  /** Such as avc1.64001f. */
  videoCodec: string;
  /** Such as mp4a.40.2; null without sound. */
  audioCodec: string | null;
  /** Of its picture alone, where that has a playlist of its own. */
  picture: Bandwidth | null;
}

/** A rendition of sound that was made. */
export interface MadeAudio extends Rendition, Bandwidth {
  codec: string;
  channels: number;
}

/** What a master playlist names. */
export interface Ladder {
  /** Highest first. */
  rungs: readonly MadeRung[];
  audios: readonly MadeAudio[];
  subtitles: readonly Rendition[];
  framesPerSecond: number | null;
  /** Whether it is known that the picture has no high dynamic range. */
  isSdr?: boolean;
}

/** The names of the playlists in the folder of a rung: of the whole, and of its picture alone. */
export const WHOLE = 'index.m3u8';
export const PICTURE = 'video.m3u8';

type Attributes = [name: string, value: string | number | null][];

const written = (attributes: Attributes) =>
  attributes.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`])).join(',');

const quoted = (text: string) => `"${text}"`;

/**
 * Writes the HLS master playlist, the highest rung first and the sound alone last; its URIs are relative to itself.
 *
 * One track of sound is part of each rung. Of several, players load the chosen one beside the picture alone, because
 * browsers can't leave out the sound that is part of a rung.
 */
export function masterPlaylist({ rungs, audios, subtitles, framesPerSecond, isSdr = false }: Ladder): string {
  const beside = audios.length > 1 && rungs.every(({ picture }) => picture !== null);
  const groups: Attributes = [
    ['AUDIO', beside ? quoted('audio') : null],
    ['SUBTITLES', subtitles.length > 0 ? quoted('subtitles') : null],
  ];
  const loudest = (field: keyof Bandwidth) => Math.max(0, ...audios.map((audio) => audio[field]));
  const variants = rungs.map((rung) => {
    const { peakBandwidth, averageBandwidth } = (beside && rung.picture) || rung;
    return variant(`${rung.name}/${beside ? PICTURE : WHOLE}`, [
      ['BANDWIDTH', peakBandwidth + (beside ? loudest('peakBandwidth') : 0)],
      ['AVERAGE-BANDWIDTH', averageBandwidth + (beside ? loudest('averageBandwidth') : 0)],
      ['CODECS', quoted([rung.videoCodec, ...(rung.audioCodec ? [rung.audioCodec] : [])].join(','))],
      ['RESOLUTION', `${rung.size.width}x${rung.size.height}`],
      ['FRAME-RATE', framesPerSecond?.toFixed(3) ?? null],
      ['VIDEO-RANGE', isSdr ? 'SDR' : null],
      ...groups,
    ]);
  });
  const [first] = audios;
  const soundAlone = first
    ? variant(`${first.folder}/${WHOLE}`, [
        ['BANDWIDTH', beside ? loudest('peakBandwidth') : first.peakBandwidth],
        ['AVERAGE-BANDWIDTH', beside ? loudest('averageBandwidth') : first.averageBandwidth],
        ['CODECS', quoted(first.codec)],
        ...groups,
      ])
    : '';
  const media = [
    ...(beside ? audios.map((audio) => rendition('AUDIO', audio, audio.channels)) : []),
    ...subtitles.map((subtitle) => rendition('SUBTITLES', subtitle)),
  ];
  return `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n${[...media, ...variants, soundAlone].join('')}`;
}

const variant = (uri: string, attributes: Attributes) => `#EXT-X-STREAM-INF:${written(attributes)}\n${uri}\n`;

function rendition(type: 'AUDIO' | 'SUBTITLES', made: Rendition, channels: number | null = null): string {
  const attributes = written([
    ['TYPE', type],
    ['GROUP-ID', quoted(type.toLowerCase())],
    ['NAME', quoted(made.name)],
    ['LANGUAGE', made.language && quoted(made.language)],
    ['DEFAULT', made.isDefault ? 'YES' : 'NO'],
    ['AUTOSELECT', made.isAutomatic ? 'YES' : 'NO'],
    ['FORCED', made.isForced ? 'YES' : null],
    ['CHANNELS', channels && quoted(String(channels))],
    ['CHARACTERISTICS', made.characteristics.length > 0 ? quoted(made.characteristics.join(',')) : null],
    ['URI', quoted(`${made.folder}/${WHOLE}`)],
  ]);
  return `#EXT-X-MEDIA:${attributes}\n`;
}

const escaped = (text: string) => text.replaceAll(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * Writes the SMIL ladder for the streamer, the highest rung first; its sources are relative to itself. Each is a rung with
 * its sound: streamers expect a picture in every one.
 */
export function smilLadder(rungs: readonly MadeRung[], title: string): string {
  const videos = rungs.map(({ name, size, averageBandwidth, audioBitrateKbps, videoCodec, audioCodec }) => {
    const audio = audioCodec ? Math.min(audioBitrateKbps * 1000, averageBandwidth) : 0;
    const parameters: [string, string | number][] = [
      ['videoBitrate', averageBandwidth - audio],
      ['audioBitrate', audio],
      ['videoCodecId', videoCodec],
      ...(audioCodec ? [['audioCodecId', audioCodec] as [string, string]] : []),
    ];
    return [
      `    <video src="../hls/${name}/${WHOLE}" systemLanguage="und" width="${size.width}" height="${size.height}" system-bitrate="${averageBandwidth}">`,
      ...parameters.map(([key, value]) => `      <param name="${key}" value="${value}" valuetype="data"/>`),
      '    </video>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<smil title="${escaped(title)}">\n  <head/>\n  <body><switch>\n${videos.join('\n')}\n  </switch></body>\n</smil>\n`;
}
