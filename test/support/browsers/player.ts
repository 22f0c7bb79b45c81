import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { chromium, type Page } from 'playwright-core';

import type { Server } from '../servers/server-process.ts';
import { sharedPlayer } from '../servers/shared-server.ts';

const page = `<!doctype html><video id="video" muted width="320"></video><script src="/player/hls.js"></script><script>
  const video = document.getElementById('video');
  window.seen = { errors: [], levels: [], switched: [], ended: false };
  window.play = (url) => new Promise((resolve, reject) => {
    const hls = window.hls = new Hls({ maxBufferLength: 6 });
    hls.on(Hls.Events.ERROR, (_event, { type, details, fatal }) => {
      if (!fatal) return; // hls.js recovers from these itself, such as a load that a switch of rungs aborts
      seen.errors.push(type + ' ' + details);
      reject(new Error(details));
    });
    hls.on(Hls.Events.LEVEL_SWITCHED, (_event, { level }) => seen.switched.push(level));
    hls.on(Hls.Events.MANIFEST_PARSED, (_event, { levels }) => { seen.levels = levels.map(({ height }) => height); video.play().then(resolve, reject); });
    video.addEventListener('ended', () => (seen.ended = true));
    hls.loadSource(url);
    hls.attachMedia(video);
  });
  window.facts = () => ({
    ...seen,
    time: video.currentTime,
    duration: video.duration,
    height: video.videoHeight,
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
    dropped: video.getVideoPlaybackQuality().corruptedVideoFrames,
    audioBytes: video.webkitAudioDecodedByteCount,
    sounds: hls.audioTracks.map(({ name, lang }) => name + ' ' + lang),
    subtitles: hls.subtitleTracks.map(({ name, lang }) => name + ' ' + lang),
    sound: hls.audioTrack,
    cues: [...video.textTracks].flatMap(({ cues }) => [...(cues ?? [])].map(({ text, startTime }) => [text, startTime])),
  });
</script>`;

/** The state of the playback on the page. */
export interface Facts {
  /** The fatal error. */
  errors: string[];
  levels: number[];
  switched: number[];
  ended: boolean;
  time: number;
  duration: number;
  height: number;
  frames: number;
  audioBytes: number;
  /** The name and language of each. */
  sounds: string[];
  subtitles: string[];
  /** The track of sound that is played, by its place among `sounds`. */
  sound: number;
  /** The text and the start, in seconds, of each cue that is loaded. */
  cues: [string, number][];
}

/** hls.js in the Chromium of this run that plays films, on pages of the server itself. Closing it closes those. */
export async function openPlayer(server: Server) {
  const script = await readFile(fileURLToPath(import.meta.resolve('hls.js')).replace(/[^/]+$/, 'hls.min.js'), 'utf8');
  const browser = await chromium.connect(await sharedPlayer());

  return {
    /** Opens the page and begins to play. */
    async play(url: string): Promise<Playing> {
      const tab = await browser.newPage();
      await tab.route('**/player/', (route) => route.fulfill({ contentType: 'text/html', body: page }));
      await tab.route('**/player/hls.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
      await tab.goto(`${server.url}/player/`);
      const problem = await tab.evaluate<string>(`play(${JSON.stringify(url)}).then(() => '', String)`);
      if (problem) throw new Error(`${url} does not play: ${problem}`);
      return playing(tab);
    },
    close: () => browser.close(),
  };
}

export type Playing = ReturnType<typeof playing>;

const playing = (tab: Page) => ({
  facts: () => tab.evaluate<Facts>('facts()'),
  /** Forces a rung, by its place among `levels`. */
  force: (level: number) => tab.evaluate(`hls.currentLevel = ${level}, undefined`),
  /** Plays another track of sound, by its place among `sounds`. */
  listenTo: (sound: number) => tab.evaluate(`hls.audioTrack = ${sound}, undefined`),
  /** Shows subtitles, by their place among `subtitles`. */
  show: (subtitles: number) => tab.evaluate(`hls.subtitleDisplay = true, hls.subtitleTrack = ${subtitles}, undefined`),
  /** Whether it begins again when it ends. */
  repeat: (on: boolean) => tab.evaluate(`video.loop = ${on}, undefined`),
  /** In seconds. */
  seek: (second: number) => tab.evaluate(`video.currentTime = ${second}, undefined`),
  close: () => tab.close(),
});
