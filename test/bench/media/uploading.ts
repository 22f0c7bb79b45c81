import { createReadStream } from 'node:fs';

import { Upload } from 'tus-js-client';

import type { ServerProcess } from '../../support/servers/server-process.ts';
import type { Json } from '../../support/json.ts';

export const MIB = 2 ** 20;

/** Sends a file by tus, in chunks of 64 MiB. */
export const upload = (endpoint: string, file: string, { size, uploadToken }: { size: number; uploadToken: string }) =>
  new Promise<void>((resolve, reject) => {
    new Upload(createReadStream(file), {
      endpoint,
      uploadSize: size,
      chunkSize: 64 * MIB,
      metadata: { filename: 'big.bin', filetype: 'application/octet-stream', uploadToken },
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });

/** Requests an upload token. */
export async function prepare(server: ServerProcess, facts: object): Promise<string> {
  const response = await fetch(`${server.url}/api/media/prepare`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'bench', originalName: 'bench', tenant: 'bench', ...facts }),
  });
  const { data }: Json = await response.json();
  return data.uploadToken;
}

/** Waits until a file of the benchmark has reached one of these stages; asks rarely where the server's CPU is measured. */
export async function media(
  server: ServerProcess,
  fileName: string,
  stages = ['done', 'failed'],
  everyMs = 50,
): Promise<Json> {
  for (;;) {
    const { data }: Json = await (await fetch(`${server.url}/api/media/?tenant=bench`)).json();
    const found = data.find((one: Json) => one.fileName === fileName);
    if (stages.includes(found?.transcodingStage)) return found;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
