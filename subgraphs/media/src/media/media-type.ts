/** The types that have a name of their own; all others are `other`. */
export const mediaTypes = ['video', 'audio', 'image', 'document', 'slides'] as const;

/** The names that clients use for types that get a preview (spec 3, "Processing after upload"), as words or MIME types. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ...mediaTypes.map((word) => [word, word] as const),
  ...['pdf', 'application/pdf'].map((word) => [word, 'document'] as const),
  ...[
    'ppt',
    'pptx',
    'odp',
    'presentation',
    'application/vnd.ms-powerpoint',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/vnd.oasis.opendocument.presentation',
  ].map((word) => [word, 'slides'] as const),
]);

/**
 * Returns the media type of a file. No type is refused: an unknown one is `other`.
 *
 * @param mimeType decides where `mediaType` is unknown
 * @returns video, audio, image, document, slides or other
 */
export function classify(mediaType: string, mimeType = ''): string {
  return known(mediaType) ?? known(mimeType) ?? 'other';
}

function known(given: string): string | undefined {
  const type = given.trim().toLowerCase();
  const [family = ''] = type.split('/');
  return typeNames.get(type) ?? (['video', 'audio', 'image'].includes(family) ? family : undefined);
}
