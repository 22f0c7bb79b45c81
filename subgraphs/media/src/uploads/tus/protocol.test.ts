import { describe, expect, it } from 'vitest';

import { normalizeMetadata, protocolRefusal, protocolStatus } from './protocol.ts';

describe('the metadata of an upload', () => {
  it.each([
    ['filename Zg==,uploadToken YWI=', 'filename Zg==,uploadToken YWI='],
    [' filename Zg== , uploadToken YWI=', 'filename Zg==,uploadToken YWI='],
    ['filename\tZg==,,uploadToken  YWI=,', 'filename Zg==,uploadToken YWI='],
    ['filename Zg,uploadToken YWI', 'filename Zg==,uploadToken YWI='],
    ['is_confidential ,empty', 'is_confidential,empty'],
    ['', undefined],
    [' , ', undefined],
  ])('is read with extra blanks and commas and without padding: %j', (header, plain) => {
    expect(normalizeMetadata(header)).toBe(plain);
  });

  it.each(['filename Zg=', 'filename Z g g', 'filename Z!'])('is not repaired otherwise: %j', (header) => {
    expect(normalizeMetadata(header)?.replace(/=+$/, '')).toBe(header.replace(/=+$/, ''));
  });
});

describe('a refusal by the protocol', () => {
  it.each([
    ['Upload-Offset conflict\n', 'UPLOAD_OFFSET_CONFLICT'],
    ["upload's size exceeded\n", 'UPLOAD_SIZE_EXCEEDED'],
    [
      'Concatenation extension is not (yet) supported. Do otherwise.\n',
      'UPLOAD_CONCATENATION_EXTENSION_IS_NOT_YET_SUPPORTED',
    ],
    ['Maximum size exceeded\n', 'UPLOAD_MAXIMUM_SIZE_EXCEEDED'],
    ['Invalid upload-length\n', 'UPLOAD_INVALID_UPLOAD_LENGTH'],
  ])('has a code made of its text: %j', (text, code) => {
    expect(protocolRefusal(text, 'some-request')).toEqual({
      success: false,
      code,
      message: text.trim(),
      requestId: 'some-request',
    });
  });

  it('has the status that the protocol requires', () => {
    expect([
      protocolStatus(400, 'Invalid content-type tus-resumable\n'),
      protocolStatus(400, 'Invalid content-type\n'),
      protocolStatus(403, 'Content-Type header required\n'),
      protocolStatus(400, 'Invalid upload-offset\n'),
      protocolStatus(409, 'Upload-Offset conflict\n'),
    ]).toEqual([412, 415, 415, 400, 409]);
  });
});
