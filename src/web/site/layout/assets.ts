import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { header, matches, type Answer, type Exchange } from '../../../http/index.ts';

/** Assets by the names that pages use. */
export type AssetName =
  | 'site.css'
  | 'favicon.svg'
  | 'approve.js'
  | 'notifications.js'
  | 'live.js'
  | 'copy.js'
  | 'comments.js'
  | 'passkey.js'
  | 'password.js'
  | 'strength.js'
  | 'docs.js'
  | 'docs.css'
  | 'graphiql.js'
  | 'graphiql.css';

/** Scripts, styles and icons that pages load. */
export interface Assets {
  /** The address of an asset, with a hash of its content. */
  url(name: AssetName): string;
  /** Answers with the file at a path below `/assets/`; null if there is none. */
  answer(path: string, exchange: Exchange): Promise<Answer | null>;
  /** Answers with an asset at a fixed address. */
  answerNamed(name: AssetName, exchange: Exchange): Promise<Answer>;
}

export const assetsPrefix = '/assets/';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** One year, the usual maximum. Safe because a changed file has another name. */
const forAYear = 'public, max-age=31536000, immutable';
const forAnHour = 'public, max-age=3600';

/**
 * Reads the manifest of the built assets. The files themselves are read when they are requested.
 * @throws Error when nothing was built
 */
export function readAssets(folder: string): Assets {
  const manifest = readManifest(folder);
  const files = new Set(Object.values(manifest));

  async function read(file: string, exchange: Exchange, caching: string): Promise<Answer> {
    const zipped = acceptsGzip(header(exchange, 'accept-encoding'));
    const tag = `W/"${file}"`;
    const headers = { etag: tag, 'cache-control': caching, vary: 'Accept-Encoding' };
    if (matches(header(exchange, 'if-none-match'), tag)) return { status: 304, headers, body: null };
    return {
      status: 200,
      headers: { ...headers, 'content-type': types[extname(file)], ...(zipped && { 'content-encoding': 'gzip' }) },
      body: await readFile(join(folder, zipped ? `${file}.gz` : file)),
    };
  }

  return {
    url: (name) => assetsPrefix + manifest[name],
    async answer(path, exchange) {
      const file = path.slice(assetsPrefix.length);
      return files.has(file) ? await read(file, exchange, forAYear) : null;
    },
    answerNamed: (name, exchange) => read(manifest[name], exchange, forAnHour),
  };
}

function readManifest(folder: string): Record<AssetName, string> {
  try {
    return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  } catch (cause) {
    throw new Error(`The pages’ assets are missing. Build them with: node scripts/assets.mjs ${folder}`, { cause });
  }
}

/** RFC 9110 §12.5.3, as far as browsers use it. */
function acceptsGzip(accepted = ''): boolean {
  return accepted.split(',').some((coding) => /^\s*gzip\s*(;\s*q=(1|0\.\d*[1-9]).*)?$/i.test(coding));
}
