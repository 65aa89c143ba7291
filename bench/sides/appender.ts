import { createWriteStream, type WriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/**
 * The least that appends: it writes what is sent to `/<name>` to the end of a file of that name, which stays open. Its argument
 * is the folder. It answers when the bytes are written, as a gateway does, since a runner forgets what was acknowledged.
 */

const [folder] = process.argv.slice(2) as [string];
const files = new Map<string, WriteStream>();

const server = createServer((request, response) => {
  const name = request.url!.slice(1);
  const file = files.get(name) ?? createWriteStream(join(folder, `${name}.floor.log`));
  files.set(name, file);
  request.on('data', (bytes: Buffer) => file.write(bytes));
  request.on('end', () => {
    file.write('', () => response.writeHead(202, { 'content-length': '0' }).end());
  });
});
server.listen(0, '127.0.0.1', () => {
  // The benchmark waits for this line.
  console.log(`on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
