import type { Role } from '../../support/pages/walk.ts';
import type { Records, Stops } from './records.ts';

const at = (page: string, as?: readonly Role[]) => ({
  at: ({ reviewed }: Records) => `/${reviewed.code.fullPath}/-/merge_requests${page}`,
  ...(as && { as }),
});
/** @param page begins with a slash, or is empty */
const ofFull = (page: string, as?: readonly Role[]) => ({
  at: ({ reviewed: { code, full } }: Records) => `/${code.fullPath}/-/merge_requests/${full}${page}`,
  ...(as && { as }),
});
const writers = ['developer', 'maintainer'] as const;

/** The pages of merge requests. */
export const reviewStops: Stops = {
  'merge-requests': at(''),
  'merge-requests-filtered': at('?state=all&label_name=speed&draft=no', ['maintainer']),
  'merge-requests-of-group': { at: '/groups/demo/-/merge_requests', as: ['guest', 'maintainer'] },
  'merge-request-new': at('/new?source=walk', writers),
  'merge-request': ofFull(''),
  'merge-request-of-maintainer': ofFull('', ['maintainer']),
  'merge-request-with-conflict': {
    at: ({ reviewed: { code, conflicting } }) => `/${code.fullPath}/-/merge_requests/${conflicting}`,
    as: ['maintainer'],
  },
  'merge-request-edit': ofFull('/edit', ['maintainer']),
  'merge-request-delete': ofFull('/delete', ['root']),
  'merge-request-commits': ofFull('/commits'),
  'merge-request-pipelines': ofFull('/pipelines', writers),
  'merge-request-changes': ofFull('/diffs'),
  'merge-request-changes-parallel': ofFull('/diffs?view=parallel'),
  'merge-request-changes-comment': ofFull('/diffs?file=README.md&line=-2#comment', writers),
  'review-thread': {
    at: ({ reviewed: { code, full, thread } }) => `/${code.fullPath}/-/merge_requests/${full}/discussions/${thread}`,
    as: writers,
  },
  'review-comment-react': {
    at: ({ reviewed: { code, full, comment } }) => `/${code.fullPath}/-/merge_requests/${full}/notes/${comment}/award`,
    as: ['maintainer'],
  },
  'review-comment-edit': {
    at: ({ reviewed: { code, full, comment } }) => `/${code.fullPath}/-/merge_requests/${full}/notes/${comment}/edit`,
    as: ['maintainer'],
  },
  'review-comment-delete': {
    at: ({ reviewed: { code, full, comment } }) => `/${code.fullPath}/-/merge_requests/${full}/notes/${comment}/delete`,
    as: ['maintainer'],
  },
  'review-draft-edit': {
    at: ({ reviewed: { code, full, draft } }) => `/${code.fullPath}/-/merge_requests/${full}/draft_notes/${draft}/edit`,
    as: ['maintainer'],
  },
  'review-draft-delete': {
    at: ({ reviewed: { code, full, draft } }) =>
      `/${code.fullPath}/-/merge_requests/${full}/draft_notes/${draft}/delete`,
    as: ['maintainer'],
  },
  'merge-request-changes-with-drafts': ofFull('/diffs', ['maintainer']),
};
