import { badInput, Refusal } from '@foyer/shared/errors';

export const oneChoice = () => badInput([{ path: 'input', message: 'must have either atSeconds or imageId' }]);

export const noSuchMoment = (duration: number | null) =>
  badInput([
    { path: 'atSeconds', message: duration === null ? 'must be 0 or more' : `must be from 0 to below ${duration}` },
  ]);

export const onlyOfVideos = () => badInput([{ path: 'atSeconds', message: 'is only for videos' }]);

export const noSuchImage = () => badInput([{ path: 'imageId', message: 'There is no such media in its workspace.' }]);

export const imageWithoutPreview = () =>
  new Refusal('CONFLICT', 'IMAGE_WITHOUT_PREVIEW', 'This image has no preview: it is being processed, or is no image.');
