import type { Role } from '../../support/pages/walk.ts';
import type { Records, Stops } from './records.ts';

const branch = 'feature/a-name-of-some-length';
const at = (page: string, as?: readonly Role[]) => ({
  at: ({ code }: Records) => `/${code.fullPath}${page}`,
  ...(as && { as }),
});
const writers = ['maintainer', 'developer'] as const;
/** @param page begins with a slash, or is empty */
const ofCommit = (page: (thread: Records['codeThread']) => string, as?: readonly Role[]) => ({
  at: ({ code, codeCommit, codeThread }: Records) => `/${code.fullPath}/-/commit/${codeCommit}${page(codeThread)}`,
  ...(as && { as }),
});

/** The pages of repositories. */
export const repositoryStops: Stops = {
  'code-overview': at(''),
  'code-empty': { at: ({ emptyCode }) => `/${emptyCode}`, as: ['maintainer'] },
  'code-folder': at(`/-/tree/${branch}/docs`),
  'code-file': at('/-/blob/main/src/harbour.ts#L3'),
  'code-blame': at('/-/blame/main/src/harbour.ts'),
  'code-text': at('/-/blob/main/README.md'),
  'code-picture': at('/-/blob/main/docs/map.png', ['anonymous', 'guest']),
  'code-history': at('/-/commits/main'),
  'code-commit': ofCommit(() => ''),
  'code-commit-line': ofCommit(() => '?file=src%2Fharbour.ts&line=-5#comment', writers),
  'code-commit-thread': ofCommit(({ id }) => `/discussions/${id}`, writers),
  'code-commit-comment-edit': ofCommit(({ comment }) => `/notes/${comment}/edit`, ['maintainer']),
  'code-commit-comment-delete': ofCommit(({ comment }) => `/notes/${comment}/delete`, ['maintainer']),
  'code-compare-what': at('/-/compare'),
  'code-compare': at(`/-/compare/main...${branch}`),
  'code-branches': at('/-/branches'),
  'code-new-branch': at('/-/branches/new', writers),
  'code-delete-branch': at(`/-/branches/delete/${branch}`, ['maintainer']),
  'code-tags': at('/-/tags'),
  'code-new-tag': at('/-/tags/new?ref=main', writers),
  'code-delete-tag': at('/-/tags/delete/v1.0', ['maintainer']),
  'code-protection': at('/-/settings/repository', ['maintainer']),
  'code-stop-protecting-branches': at('/-/settings/repository/branches/main', ['maintainer']),
  'code-stop-protecting-tags': at('/-/settings/repository/tags/v*', ['maintainer']),
};
