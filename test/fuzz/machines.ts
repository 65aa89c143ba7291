import fc from 'fast-check';
import { credential, furtherHeaders, type FuzzRequest } from './request.ts';
import { anyText, escaped, inHeader, inRequestLine, pieces, places, usually } from './values.ts';

/** Generated requests to the doors of machines: git over HTTP, and the logs and artifacts of jobs. */

const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  pieces.map((text) => Buffer.from(text)),
);
/** A packet of git (pkt-line), whose length is usually right. */
const packet = fc
  .tuple(
    fc.oneof(
      anyBytes,
      fc
        .constantFrom(
          'command=ls-refs',
          'command=fetch',
          `want ${'1'.repeat(40)}\n`,
          `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main\0report-status`,
          'done\n',
        )
        .map((text) => Buffer.from(text)),
    ),
    usually(0, fc.integer({ min: -4, max: 65_535 })),
  )
  .map(([bytes, off]) => {
    const length = Math.min(Math.max(bytes.length + 4 + off, 0), 65_535);
    return Buffer.concat([Buffer.from(length.toString(16).padStart(4, '0')), bytes]);
  });
const packets = fc
  .array(
    fc.oneof(
      packet,
      fc.constantFrom('0000', '0001', '0002', '0003', 'PACK').map((text) => Buffer.from(text)),
    ),
    {
      maxLength: 6,
    },
  )
  .map((all) => Buffer.concat(all));

const query = fc.oneof(
  fc.constantFrom('', '?service=git-upload-pack', '?service=git-receive-pack', '?service=git-upload-archive'),
  pieces.map((text) => `?${inRequestLine(text)}`),
  pieces.map((text) => `?service=git-upload-pack&${inRequestLine(text)}`),
  anyText.map((text) => `?token=${escaped(text)}&artifact_type=${escaped(text)}&expire_in=${escaped(text)}`),
);
const place = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...places) }, anyText.map(escaped));
const gitPath = fc
  .tuple(
    place,
    fc.constantFrom(
      '.git/info/refs',
      '/info/refs',
      '.git/git-upload-pack',
      '.git/git-receive-pack',
      '.git/HEAD',
      '.git/objects/info/packs',
      '.git/info/lfs/objects/batch',
    ),
  )
  .map(([name, rest]) => `/${name}${rest}`);
const jobPath = fc
  .tuple(fc.constantFrom('1', '2', '2147483647', '9999999999'), fc.constantFrom('trace', 'artifacts'))
  .map(([id, files]) => `/api/v4/jobs/${id}/${files}`);

const machineHeaders = fc.dictionary(
  fc.constantFrom('job-token', 'content-range', 'range', 'content-type', 'content-encoding', 'git-protocol'),
  fc.oneof(
    anyText.map(inHeader),
    fc.constantFrom(
      'application/x-git-upload-pack-request',
      'application/x-git-receive-pack-request',
      'multipart/form-data; boundary=x',
      'gzip',
      'version=2',
      '0-9',
      'bytes=0-',
    ),
  ),
  { maxKeys: 4, noNullPrototype: true },
);
const basic = anyText.map((text) => ({
  headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` },
}));

export const machineRequests: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'HEAD', 'PATCH', 'PUT', 'OPTIONS'),
    fc.oneof(gitPath, jobPath),
    query,
    fc.oneof(fc.constant(undefined), anyBytes, packets),
    furtherHeaders,
    machineHeaders,
    fc.oneof(credential, basic),
  )
  .map(([method, path, search, body, further, headers, as]) => ({
    request: {
      method,
      path: path + search,
      body: ['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : body,
      headers: { ...further, ...headers },
    },
    as,
    mayBeCut: true,
  }));
