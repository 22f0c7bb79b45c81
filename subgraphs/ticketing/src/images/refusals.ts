import { Refusal } from '@foyer/shared/errors';

/** Also for one that the viewer may not see: whether it exists is not their business. */
export const imageNotFound = () => new Refusal('NOT_FOUND', 'MEDIA_NOT_FOUND', 'There is no such media.');
