import { z } from 'zod';

/** It becomes the name of a file: no way leads out of the folder of uploads. */
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

/** tusd 2: the type stands in the body. tusd 1: in the header Hook-Name. We emit the former. */
const Version2 = z.object({ Type: z.string(), Event: z.object({ Upload: Upload.nullish() }).nullish() });
const Version1 = z.object({ Upload: Upload.nullish() });

/** What we act on; all other hooks only tell (docs/decisions/0061). */
const acting: ReadonlySet<string> = new Set(['pre-create', 'post-create', 'post-finish', 'post-terminate']);

/** An upload, as its server tells of it. */
export interface ToldUpload {
  /** Empty before there is one: at `pre-create`. */
  id: string;
  /** In bytes, when it says. */
  size: number | undefined;
  /** One of several uploads that will be joined: never complete by itself. */
  isPartial: boolean;
  token: string | undefined;
  /** The key in the bucket, where the server stores into an object store. */
  key: string | undefined;
}

/** What an upload server tells us, in one form. */
export interface Hook {
  /** Of tusd: they differ in how they want to be answered. */
  version: 1 | 2;
  /** Such as `post-finish`. */
  type: string;
  /** Null where a hook that we do not act on names none. */
  upload: ToldUpload | null;
}

/**
 * Reads the hooks of tusd 1 and 2 and our own.
 *
 * @param hookName the header `Hook-Name`, which tusd 1 sends
 * @returns null for what is none of them
 */
export function readHook(body: unknown, hookName: string | undefined): Hook | null {
  const hook = versioned(body, hookName);
  if (!hook) return null;
  const isComplete = hook.upload ? hook.upload.id !== '' || hook.type === 'pre-create' : !acting.has(hook.type);
  return isComplete ? hook : null;
}

function versioned(body: unknown, hookName: string | undefined): Hook | null {
  const second = Version2.safeParse(body);
  if (second.success) return { version: 2, type: second.data.Type, upload: normal(second.data.Event?.Upload) };
  const first = Version1.safeParse(body);
  if (first.success && hookName) return { version: 1, type: hookName, upload: normal(first.data.Upload) };
  return null;
}

function normal(told: z.output<typeof Upload> | null | undefined): ToldUpload | null {
  if (!told) return null;
  const { ID, Size, SizeIsDeferred, IsPartial, MetaData, Storage } = told;
  return {
    // Of an S3 upload the id is `object+multipartId`: only the object survives the upload.
    id: ID.split('+', 1)[0] ?? ID,
    size: SizeIsDeferred ? undefined : Size,
    isPartial: IsPartial,
    token: MetaData?.['uploadToken'],
    key: Storage?.Key ?? undefined,
  };
}
