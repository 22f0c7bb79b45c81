import type { Viewer } from './auth/viewer.ts';

/** What other subgraphs may ask of media: a call, not a request, wherever media itself is served. */
export interface MediaDirectory {
  /**
   * Looks for a media item that a viewer may see, and so may refer to.
   *
   * @param id as the viewer gave it
   * @returns its number; null for one that is not there or not theirs to see: nobody is told which
   */
  findVisible(viewer: Viewer | null, id: string): Promise<number | null>;
}
