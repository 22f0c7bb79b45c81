import { connect } from 'node:net';

/** The bytes that came back on a connection, and the HTTP status: 0 without an answer. */
export interface WireAnswer {
  status: number;
  text: string;
}

const TIMEOUT_MS = 60_000;
/** An event stream up to its first event or heartbeat: that is an answer, because the stream may not end. */
const EVENT_STREAM = /^content-type: text\/event-stream.*\r\n\r\n.*\n\n/ims;

/**
 * Sends bytes unchanged, which no HTTP client does, and reads until the server closes the connection.
 *
 * @throws {Error} when it neither answers nor closes the connection in time
 */
export function sendBytes(url: string, bytes: Buffer): Promise<WireAnswer> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
    const tooLong = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer to ${JSON.stringify(bytes.toString('latin1').slice(0, 2_000))}`));
    }, TIMEOUT_MS);
    const done = () => {
      clearTimeout(tooLong);
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    };
    socket
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        text += chunk;
        if (EVENT_STREAM.test(text)) socket.destroy();
      })
      .on('error', () => undefined)
      .once('close', done);
    socket.write(bytes);
  });
}

/** A request as bytes, with `connection: close`. */
export function requestBytes(
  method: string,
  path: string,
  headers: readonly (readonly [string, string | Buffer])[],
  body: string | Buffer = '',
): Buffer {
  const sent = Buffer.from(body);
  const lines: (string | Buffer)[] = [
    Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n`, 'latin1'),
  ];
  if (sent.length > 0) lines.push(`content-length: ${sent.length}\r\n`);
  for (const [name, value] of headers) lines.push(`${name}: `, value, '\r\n');
  return Buffer.concat([...lines, '\r\n', sent].map((line) => Buffer.from(line as string)));
}
