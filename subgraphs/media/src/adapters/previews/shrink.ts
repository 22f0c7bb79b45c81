import type { Sharp } from 'sharp';

export const SIDE_PIXELS = 640;
const JPEG_QUALITY = 80;
const TIMEOUT_SECONDS = 15;

/** Returns the preview of a picture: JPEG, at most 640 pixels wide and high. */
export const shrink = (image: Sharp): Sharp =>
  image
    .timeout({ seconds: TIMEOUT_SECONDS })
    .resize({ width: SIDE_PIXELS, height: SIDE_PIXELS, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: JPEG_QUALITY });
