import { z } from 'zod';

import type { WorkspacePartsFragment } from '../generated/operations.ts';

export const Workspace = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    app_ids: z.array(z.string()),
  })
  .meta({ id: 'Workspace' });

export const workspace = ({ id, name, description, apps }: WorkspacePartsFragment): z.input<typeof Workspace> => ({
  id,
  name,
  description,
  app_ids: apps.map((app) => app.id),
});
