/** A bare @tus/server in a process of its own: with a folder (its argument), or with a bucket of an S3 server. */
import { once } from 'node:events';
import { createServer } from 'node:http';

import { FileStore } from '@tus/file-store';
import { S3Store } from '@tus/s3-store';
import { Server } from '@tus/server';

const [directory = '', endpoint, bucket = '', accessKeyId = '', secretAccessKey = ''] = process.argv.slice(2);

const datastore = endpoint
  ? new S3Store({
      useTags: false,
      s3ClientConfig: {
        bucket,
        endpoint,
        region: 'us-east-1',
        forcePathStyle: true,
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        credentials: { accessKeyId, secretAccessKey },
      },
    })
  : new FileStore({ directory });

const tus = new Server({ path: '/files', datastore });
const server = createServer((request, response) => void tus.handle(request, response));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/files/` });
process.once('disconnect', () => process.exit());
