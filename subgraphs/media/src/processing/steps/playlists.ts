import type { Rung } from './ladder.ts';

/** A rung that was made. */
export interface MadeRung extends Rung {
  /** In bits per second: of the largest segment, and of the whole. */
  peakBandwidth: number;
  averageBandwidth: number;
  /** Such as avc1.64001f. */
  videoCodec: string;
  /** Such as mp4a.40.2; null without sound. */
  audioCodec: string | null;
}

/** Reads the segments of a media playlist, with their durations in seconds. */
export function segmentsIn(playlist: string): { name: string; seconds: number }[] {
  return [...playlist.matchAll(/#EXTINF:([\d.]+),[^\n]*\n(?:#[^\n]*\n)*([^#\n]+)/g)].map(([, seconds, name]) => ({
    name: name?.trim() ?? '',
    seconds: Number(seconds),
  }));
}

/** Returns the bandwidth of a rung, in bits per second, from the sizes of its segments. */
export function bandwidthOf(segments: readonly { bytes: number; seconds: number }[]): {
  peakBandwidth: number;
  averageBandwidth: number;
} {
  const total = segments.reduce(
    (sum, { bytes, seconds }) => ({ bytes: sum.bytes + bytes, seconds: sum.seconds + seconds }),
    { bytes: 0, seconds: 0 },
  );
  const perSecond = ({ bytes, seconds }: { bytes: number; seconds: number }) =>
    Math.ceil((bytes * 8) / Math.max(seconds, 0.001));
  // A last segment of a few frames would distort the peak.
  const full = segments.filter(({ seconds }) => seconds >= 1);
  return { peakBandwidth: Math.max(perSecond(total), ...full.map(perSecond)), averageBandwidth: perSecond(total) };
}

/** Reads the codec of a rung's video from the avcC box of its initialization segment (ISO 14496-15). */
export function videoCodecIn(init: Buffer): string {
  const at = init.indexOf('avcC');
  return at < 0 ? 'avc1.640028' : `avc1.${init.subarray(at + 5, at + 8).toString('hex')}`;
}

/** Writes the HLS master playlist, the highest rung first; its URIs are relative to itself. */
export function masterPlaylist(rungs: readonly MadeRung[], framesPerSecond: number | null): string {
  const variants = rungs.map(({ name, size, peakBandwidth, averageBandwidth, videoCodec, audioCodec }) => {
    const codecs = [videoCodec, ...(audioCodec ? [audioCodec] : [])].join(',');
    const attributes = [
      `BANDWIDTH=${peakBandwidth}`,
      `AVERAGE-BANDWIDTH=${averageBandwidth}`,
      `CODECS="${codecs}"`,
      `RESOLUTION=${size.width}x${size.height}`,
      ...(framesPerSecond ? [`FRAME-RATE=${Math.min(framesPerSecond, 60).toFixed(3)}`] : []),
    ];
    return `#EXT-X-STREAM-INF:${attributes.join(',')}\n${name}/index.m3u8\n`;
  });
  return `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n${variants.join('')}`;
}

const escaped = (text: string) => text.replaceAll(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Writes the SMIL ladder for the streamer, the highest rung first; its sources are relative to itself. */
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
      `    <video src="../hls/${name}/index.m3u8" systemLanguage="und" width="${size.width}" height="${size.height}" system-bitrate="${averageBandwidth}">`,
      ...parameters.map(([key, value]) => `      <param name="${key}" value="${value}" valuetype="data"/>`),
      '    </video>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<smil title="${escaped(title)}">\n  <head/>\n  <body><switch>\n${videos.join('\n')}\n  </switch></body>\n</smil>\n`;
}
