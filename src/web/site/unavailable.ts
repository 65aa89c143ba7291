import type { Application } from '../../context.ts';
import { toResponse, type Answer, type Door } from '../../http/index.ts';
import { readAssets } from './assets.ts';
import { unavailable } from './problems.tsx';

/**
 * Answers that there is no time for a request, before it is read. The page is
 * nobody's in particular, so it is made once.
 * @throws Error when the assets weren't built
 */
export function webUnavailable(application: Application, assetsDir: string): Door {
  const assets = readAssets(assetsDir);
  let page: Answer | undefined;
  return (exchange) => {
    const { baseUrl, revision } = application;
    page ??= unavailable(
      { assets, baseUrl, revision, pages: new Set(), visitor: null, path: '/', notice: null },
      'There is more to do than can be done just now.',
    );
    return toResponse(exchange, page);
  };
}
