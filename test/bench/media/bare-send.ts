/** A server in a process of its own that answers every request with one file (its argument), by `send`. */
import { once } from 'node:events';
import { createServer } from 'node:http';

import send from 'send';

const file = process.argv[2] ?? '';
const server = createServer((request, response) => void send(request, file).pipe(response));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` });
process.once('disconnect', () => process.exit());
