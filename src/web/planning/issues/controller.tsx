import type { GraphQLSchema } from 'graphql';
import { BadRequest, InvalidFields } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import type { NoticeName } from '../../site/notices.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
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
  const spend = compileOperation<object>(
    schema,
    'mutation ($input: IssueAddSpentTimeInput!) { issueAddSpentTime(input: $input) { issue { iid } } }',
  );
  const estimate = compileOperation<object>(
    schema,
    'mutation ($input: IssueSetTimeEstimateInput!) { issueSetTimeEstimate(input: $input) { issue { iid } } }',
  );

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

  const timeSaved = (visit: Visit, place: PlaceHead) =>
    seeOtherSaying('time_saved', issuePath(place, { iid: visit.named.iid! }), visit);

  return [
    {
      of: 'project',
      path: '/issues/:iid',
      name: 'issue',
      get: (visit, place) => show(visit, place),
    },
    ...Object.entries(actions).map(([page, action]) => button(page, action)),
    taking('spend', 'spend time', async (visit, place, form) => {
      const { duration = '', summary = '' } = form;
      const input = { projectPath: place.fullPath, iid: visit.named.iid, duration, summary };
      try {
        await spend.execute(visit.context, { input });
      } catch (problem) {
        if (!(problem instanceof InvalidFields)) throw problem;
        const { base = [], summary: wrongSummary } = problem.fields;
        const wrong = problem.fields['timelogs.time_spent'] ? ['Enter a time, such as 1h 30m.'] : [];
        const errors = {
          spent: [...base.map((one) => `${one}.`), ...wrong],
          summary: sentences('The summary', wrongSummary),
        };
        return await show(visit, place, { time: { spent: duration, summary, errors } });
      }
      return timeSaved(visit, place);
    }),
    taking('estimate', 'estimate time', async (visit, place, form) => {
      const { estimate: duration = '' } = form;
      try {
        await estimate.execute(visit.context, {
          input: { projectPath: place.fullPath, iid: visit.named.iid, duration },
        });
      } catch (problem) {
        if (!(problem instanceof BadRequest)) throw problem;
        return await show(visit, place, { time: { estimate: duration, errors: { estimate: [problem.message] } } });
      }
      return timeSaved(visit, place);
    }),
  ];
}
