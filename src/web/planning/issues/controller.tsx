import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceRoute } from '../../places/place/route.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { seeOtherSaying } from '../../site/visit.ts';
import { timePages } from '../time-tracking/controller.ts';
import { issuePath } from './issue.ts';
import { issueShower } from './show.tsx';
import { taking } from './taking.ts';

/** What the buttons of an issue do: the mutation, its input besides the issue, and the notice afterwards. */
interface Action {
  readonly mutation: string;
  readonly input: string;
  readonly notice: NoticeName;
}

const actions: Readonly<Record<string, Action>> = {
  close: { mutation: 'updateIssue', input: 'stateEvent: CLOSE', notice: 'issue_closed' },
  reopen: { mutation: 'updateIssue', input: 'stateEvent: REOPEN', notice: 'issue_reopened' },
  hide: { mutation: 'issueSetConfidential', input: 'confidential: true', notice: 'issue_confidential' },
  show: { mutation: 'issueSetConfidential', input: 'confidential: false', notice: 'issue_not_confidential' },
  lock: { mutation: 'issueSetLocked', input: 'locked: true', notice: 'issue_locked' },
  unlock: { mutation: 'issueSetLocked', input: 'locked: false', notice: 'issue_unlocked' },
  assign_to_me: { mutation: 'issueSetAssignees', input: 'assigneeUsernames: [$username]', notice: 'issue_assigned' },
  subscribe: { mutation: 'issueSetSubscription', input: 'subscribedState: true', notice: 'issue_subscribed' },
  unsubscribe: { mutation: 'issueSetSubscription', input: 'subscribedState: false', notice: 'issue_unsubscribed' },
};

/** The page of an issue, and what its buttons do. */
export function issuePages(schema: GraphQLSchema): PlaceRoute[] {
  const show = issueShower(schema);

  const button = (page: string, { mutation, input, notice }: Action): PlaceRoute => {
    const variables = `$project: ID!, $iid: String!${input.includes('$username') ? ', $username: String!' : ''}`;
    const run = compileOperation<object>(
      schema,
      `mutation (${variables}) { ${mutation}(input: { projectPath: $project, iid: $iid, ${input} }) { issue { iid } } }`,
    );
    return taking(page, `${page.replaceAll('_', ' ')} issue`, async (visit, place) => {
      const iid = visit.named.iid!;
      const { username } = visit.site.visitor!;
      await run.execute(visit.context, { project: place.fullPath, iid, username });
      return seeOtherSaying(notice, issuePath(place, { iid }), visit);
    });
  };

  return [
    {
      of: 'project',
      path: '/issues/:iid',
      name: 'issue',
      get: (visit, place) => show(visit, place),
    },
    ...Object.entries(actions).map(([page, action]) => button(page, action)),
    ...timePages(schema, { root: '/issues', kind: 'issue', show }),
  ];
}
