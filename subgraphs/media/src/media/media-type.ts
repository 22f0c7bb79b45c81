const kept = ['video', 'audio', 'image', 'document', 'slides'] as const;

/** What clients call the types that get a preview (spec 3, "Processing after upload"), as words or as MIME types. */
const words: ReadonlyMap<string, string> = new Map([
  ...kept.map((word) => [word, word] as const),
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
 * What a file counts as; there is no list of types that may be uploaded.
 *
 * @param mimeType counts where `mediaType` says nothing that is known
 * @returns video, audio, image, document, slides or other
 */
export function classify(mediaType: string, mimeType = ''): string {
  return known(mediaType) ?? known(mimeType) ?? 'other';
}

function known(given: string): string | undefined {
  const type = given.trim().toLowerCase();
  const [family = ''] = type.split('/');
  return words.get(type) ?? (['video', 'audio', 'image'].includes(family) ? family : undefined);
}
