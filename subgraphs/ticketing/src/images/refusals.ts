import { Refusal } from '@foyer/shared/errors';

/** Also for media that the viewer may not see, so that nobody learns whether it exists. */
export const imageNotFound = () => new Refusal('NOT_FOUND', 'MEDIA_NOT_FOUND', 'There is no such media.');
