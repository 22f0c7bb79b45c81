import { badInput, Refusal } from '@foyer/shared/errors';

export const unusableName = (path: string, why: string) => badInput([{ path, message: why }]);

export const unusableSize = (maxBytes: number) =>
  new Refusal('PAYLOAD_TOO_LARGE', 'UPLOAD_TOO_LARGE', `An upload may have at most ${maxBytes} bytes.`, { maxBytes });

export const unknownProfile = () =>
  badInput([{ path: 'transcodingProfileId', message: 'There is no such transcoding profile.' }]);

export const tenantTaken = () =>
  new Refusal('FORBIDDEN', 'TENANT_TAKEN', 'This tenant belongs to another organization: name one of your own.');

export const tokenMissing = () =>
  new Refusal(
    'UNAUTHENTICATED',
    'UPLOAD_TOKEN_MISSING',
    'The tus metadata must carry the uploadToken of a prepared upload.',
  );

export const metadataUnusable = () =>
  new Refusal('BAD_USER_INPUT', 'UPLOAD_METADATA', 'The tus metadata may not hold the character NUL.');

export const unknownMethod = () =>
  badInput([{ path: 'X-HTTP-Method-Override', message: 'must be a method of the tus protocol' }]);

export const checksumUnusable = (algorithms: string) =>
  badInput([
    {
      path: 'Upload-Checksum',
      message: `must be one of ${algorithms}, a blank and the digest in base64, in the header`,
    },
  ]);

/** The token is unknown, expired or another client's; the response does not say which. */
export const tokenInvalid = () =>
  new Refusal(
    'FORBIDDEN',
    'UPLOAD_TOKEN_INVALID',
    'The upload token is not valid, or no longer: prepare the upload again.',
  );

export const tokenUsed = () =>
  new Refusal('CONFLICT', 'UPLOAD_TOKEN_USED', 'The upload token is already used for another upload.');

export const sizeDiffers = (preparedBytes: number) =>
  new Refusal('BAD_USER_INPUT', 'UPLOAD_SIZE_DIFFERS', `The upload was prepared with ${preparedBytes} bytes.`, {
    preparedBytes,
  });

export const hookUnauthenticated = () =>
  new Refusal('UNAUTHENTICATED', 'HOOK_UNAUTHENTICATED', 'The hook needs the shared secret or a signature.');

export const hookNotUnderstood = () =>
  badInput([{ path: 'body', message: 'This is not a hook of the upload server.' }]);

export const uploadNotStored = () =>
  new Refusal('UNPROCESSABLE', 'UPLOAD_NOT_STORED', 'The bytes of that upload are not in the store.');

export const uploadFinished = () =>
  new Refusal('CONFLICT', 'UPLOAD_FINISHED', 'The upload is complete and can not be terminated.');

export const uploadRejected = () =>
  new Refusal(
    'UNPROCESSABLE',
    'UPLOAD_REJECTED',
    'The upload is not what was prepared (its size or its token differs), or there is no room for it any more.',
  );
