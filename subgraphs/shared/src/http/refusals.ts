import { Refusal } from '../errors.ts';

export const foreignOrigin = () =>
  new Refusal('FORBIDDEN', 'FOREIGN_ORIGIN', 'A page of another site may not do this. ALLOWED_ORIGINS names who may.');

export const formRefused = () =>
  new Refusal('UNSUPPORTED_MEDIA_TYPE', 'UNSUPPORTED_MEDIA_TYPE', 'This route takes no forms. Send JSON.');

export const formExpected = () =>
  new Refusal('UNSUPPORTED_MEDIA_TYPE', 'FORM_EXPECTED', 'This route takes the form of a page.');

export const routeNotFound = () => new Refusal('NOT_FOUND', 'ROUTE_NOT_FOUND', 'There is no such route.');
