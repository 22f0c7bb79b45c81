import { demo } from '@foyer/shared/demo';

/** The platform organization's id is the same in every installation. */
export const PLATFORM_ORGANIZATION_ID = demo.platform.organizationId;
