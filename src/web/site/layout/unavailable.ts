import type { Application } from '../../../context.ts';
import { toResponse, type Answer, type Door } from '../../../http/index.ts';
import { readAssets } from './assets.ts';
import { unavailable } from './problems.tsx';

/**
 * Load shedding for pages: answers 503 before the request is read. The page is the same
 * for every visitor, so it is rendered once.
 * @throws Error when the assets weren't built
 */
export function webUnavailable(application: Application, assetsDir: string): Door {
  const assets = readAssets(assetsDir);
  let page: Answer | undefined;
  return (exchange) => {
    const { baseUrl, revision } = application;
    page ??= unavailable(
      { assets, baseUrl, revision, pages: new Set(), timeZone: 'UTC', visitor: null, path: '/', notice: null },
      'The gateway is overloaded.',
    );
    return toResponse(exchange, page);
  };
}
