import { z } from 'zod';

/** The id becomes a file name: it must not lead out of the folder of uploads. */
const Id = z
  .string()
  .max(255)
  .regex(/^[^/\\\0]+$/)
  .refine((id) => !/^\.+(\+|$)/.test(id));

const Upload = z.object({
  ID: Id.or(z.literal('')),
  Size: z.number().int().nonnegative().optional(),
  SizeIsDeferred: z.boolean().default(false),
  IsPartial: z.boolean().default(false),
  MetaData: z.record(z.string(), z.string()).nullish(),
  Storage: z.object({ Key: z.string().optional(), Path: z.string().optional() }).nullish(),
});

/** tusd 2 sends the type in the body, tusd 1 in the header `Hook-Name`. Our upload server sends the form of tusd 2. */
const Version2 = z.object({ Type: z.string(), Event: z.object({ Upload: Upload.nullish() }).nullish() });
const Version1 = z.object({ Upload: Upload.nullish() });

/** The hooks that we act on; we ignore all others (docs/decisions/0061). */
const handledTypes: ReadonlySet<string> = new Set([
  'pre-create',
  'post-create',
  'pre-finish',
  'post-finish',
  'pre-terminate',
  'post-terminate',
]);

/** An upload, as its upload server reports it. */
export interface ReportedUpload {
  /** Empty at `pre-create`, before there is an id. */
  id: string;
  /** In bytes; undefined when the server does not state it. */
  size: number | undefined;
  /** Part of a concatenation: never complete by itself. */
  isPartial: boolean;
  token: string | undefined;
  /** The key in the bucket, where the server stores into an object store. */
  key: string | undefined;
}

/** A hook of any version, in one form. */
export interface Hook {
  /** The version of tusd: they expect different responses. */
  version: 1 | 2;
  /** Such as `post-finish`. */
  type: string;
  /** Null only for ignored hooks. */
  upload: ReportedUpload | null;
}

/**
 * Reads a hook of tusd 1, tusd 2 or our own upload server.
 *
 * @param hookName the header `Hook-Name`, which tusd 1 sends
 * @returns null for anything else
 */
export function readHook(body: unknown, hookName: string | undefined): Hook | null {
  const hook = versioned(body, hookName);
  if (!hook) return null;
  const isComplete = hook.upload ? hook.upload.id !== '' || hook.type === 'pre-create' : !handledTypes.has(hook.type);
  return isComplete ? hook : null;
}

function versioned(body: unknown, hookName: string | undefined): Hook | null {
  const second = Version2.safeParse(body);
  if (second.success) return { version: 2, type: second.data.Type, upload: normalized(second.data.Event?.Upload) };
  const first = Version1.safeParse(body);
  if (first.success && hookName) return { version: 1, type: hookName, upload: normalized(first.data.Upload) };
  return null;
}

function normalized(upload: z.output<typeof Upload> | null | undefined): ReportedUpload | null {
  if (!upload) return null;
  const { ID, Size, SizeIsDeferred, IsPartial, MetaData, Storage } = upload;
  return {
    // The id of an S3 upload is `object+multipartId`: only the object outlives the upload.
    id: ID.split('+', 1)[0] ?? ID,
    size: SizeIsDeferred ? undefined : Size,
    isPartial: IsPartial,
    token: MetaData?.['uploadToken'],
    key: Storage?.Key ?? undefined,
  };
}
