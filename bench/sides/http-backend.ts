import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * git over HTTP by hand: each request starts `git http-backend` as a CGI program, with every right and no log; but
 * it checks what is pushed, as every server for strangers must. Its argument is the folder with the repositories.
 */

const [root] = process.argv.slice(2) as [string];

const server = createServer((request, response) => {
  const url = new URL(request.url!, 'http://localhost');
  if (url.pathname === '/favicon.ico') return void response.writeHead(204).end();
  const child = spawn('git', ['-c', 'http.receivepack=true', '-c', 'receive.fsckObjects=true', 'http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      ...(request.headers['git-protocol'] && { GIT_PROTOCOL: String(request.headers['git-protocol']) }),
      ...(request.headers['content-length'] && { CONTENT_LENGTH: request.headers['content-length'] }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  let head: Buffer = Buffer.alloc(0);
  const begin = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', begin);
    const lines = head
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': ', 2) as [string, string]);
    const status = Number(lines.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
    response.writeHead(status, Object.fromEntries(lines.filter(([name]) => name !== 'Status')));
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', begin);
});
server.listen(0, '127.0.0.1', () =>
  console.log(`backend on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on('SIGTERM', () => process.exit(0));
