import type { Viewer } from './auth/viewer.ts';

/** The functions of media that other subgraphs call in their own process, wherever media itself is served. */
export interface MediaDirectory {
  /**
   * Looks for a media item that a viewer may see, and so may refer to.
   *
   * @param id as the viewer gave it
   * @returns its number; null for one that does not exist or that the viewer may not see: the caller can't tell which
   */
  findVisible(viewer: Viewer | null, id: string): Promise<number | null>;
}
