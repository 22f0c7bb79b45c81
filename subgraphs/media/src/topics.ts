/** The topics of the events that the database publishes (prisma/models/media.sql), and their payloads. */
export const topics = {
  /** `<id>/<workspace or nothing>` of a media item that was created, changed or deleted. */
  library: 'media_library',
  /** `<kind>/<id>` of a node that changed. */
  nodes: 'media_nodes',
  /** The id of a channel whose origins changed. */
  origins: 'media_origins',
} as const;
