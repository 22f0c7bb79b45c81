import { describe, expect, it } from 'vitest';

import { classify } from './media-type.ts';

describe('the media type', () => {
  it('is what the client says, what its mime type says, or other', () => {
    expect(classify('Video', 'x/y')).toBe('video');
    expect(classify('clip', 'video/webm')).toBe('video');
    expect(classify('clip', 'model/gltf')).toBe('other');
    expect(classify('', '')).toBe('other');
  });

  it.each([
    ['PDF', '', 'document'],
    ['pptx', '', 'slides'],
    ['ODP', 'x/y', 'slides'],
    ['presentation', '', 'slides'],
    ['', 'application/pdf', 'document'],
    ['', 'application/vnd.ms-powerpoint', 'slides'],
    ['image/png', '', 'image'],
    ['text', 'text/plain', 'other'],
  ])('%j with the mime type %j counts as %s', (mediaType, mimeType, type) => {
    expect(classify(mediaType, mimeType)).toBe(type);
  });
});
