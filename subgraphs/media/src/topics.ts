/** What the database announces (prisma/models/media.sql), and what is said about it. */
export const channels = {
  /** `<id>/<workspace or nothing>` of a media item that appeared, changed or went. */
  library: 'media_library',
  /** `<kind>/<id>` of a node. */
  nodes: 'media_nodes',
  /** The id of a channel whose origins changed. */
  origins: 'media_origins',
} as const;
