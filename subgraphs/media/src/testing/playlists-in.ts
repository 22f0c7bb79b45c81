// For tests: what ffmpeg is told to write.

/** Returns the playlists among the arguments of ffmpeg, whose paths have no character that ffmpeg would read otherwise. */
export const playlistsIn = (after: readonly string[]): string[] =>
  after.flatMap((word) => [...word.matchAll(/\][^|\]]+\/index\.m3u8/g)].map(([found]) => found.slice(1)));
