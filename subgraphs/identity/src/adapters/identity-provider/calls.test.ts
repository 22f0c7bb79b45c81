import { getOption } from '@bufbuild/protobuf';
import { http } from '@zitadel/proto/google/api/annotations_pb.js';
import { OrganizationService } from '@zitadel/proto/zitadel/org/v2/org_service_pb.js';
import { SessionService } from '@zitadel/proto/zitadel/session/v2/session_service_pb.js';
import { SettingsService } from '@zitadel/proto/zitadel/settings/v2/settings_service_pb.js';
import { UserService } from '@zitadel/proto/zitadel/user/v2/user_service_pb.js';
import { describe, expect, it } from 'vitest';

import { calls } from './calls.ts';

const services = [UserService, OrganizationService, SessionService, SettingsService];
const methodsOf = (service: string) => services.find(({ typeName }) => typeName === service)?.methods ?? [];
const camelCase = (path: string) => path.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** The available official descriptors are older than this call. */
const unpublished = new Set(['DeleteOrganization']);
const published = Object.values(calls).filter(({ method }) => !unpublished.has(method));

describe('the call table', () => {
  it.each(Object.values(calls))('calls v2 interfaces only: $service/$method', ({ service, path }) => {
    expect(service).toMatch(/^zitadel\.(user|session|org|settings)\.v2\./);
    expect(path).toMatch(/^\/v2\//);
  });

  it.each(published)('names $method as the official descriptors do', ({ service, method }) => {
    expect(methodsOf(service).map(({ name }) => name)).toContain(method);
  });

  it.each(published)('knows the REST address of $method', ({ service, method, verb, path }) => {
    const descriptor = methodsOf(service).find(({ name }) => name === method);
    const pattern = descriptor && getOption(descriptor, http).pattern;
    // Calls that came with version 4 carry no REST address in these descriptors.
    if (!pattern?.case || typeof pattern.value !== 'string') return;
    // The search of organizations is annotated with /_search: an underscore that is no field name.
    expect([verb, path]).toEqual([
      pattern.case.toUpperCase(),
      pattern.value.endsWith('/_search') ? pattern.value : camelCase(pattern.value),
    ]);
  });
});
