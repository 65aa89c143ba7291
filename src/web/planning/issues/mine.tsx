import type { GraphQLSchema } from 'graphql';
import { Layout } from '../../site/layout/layout.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { requireVisitor, type PageRoute } from '../../site/visit.ts';
import { issueLister } from './list.ts';
import { IssueList } from './list-view.tsx';
import { readIssueQuery } from './query.ts';

const myIssuesPath = '/dashboard/issues';
const createdPath = `${myIssuesPath}/created`;

/** The issues that are assigned to a person, or that they created, everywhere. */
export function myIssuePages(schema: GraphQLSchema): PageRoute[] {
  const list = issueLister(schema);
  const page = (path: string, name: string, scope: 'ASSIGNED_TO_ME' | 'CREATED_BY_ME'): PageRoute => ({
    path,
    name,
    async get(visit) {
      requireVisitor(visit);
      const query = readIssueQuery(visit.exchange);
      const found = await list(visit, { scope }, query);
      return toAnswer(
        <Layout site={visit.site} title="Your issues" current={myIssuesPath}>
          <h1>Your issues</h1>
          <nav class="tabs" aria-label="Which issues">
            <a href={myIssuesPath} aria-current={path === myIssuesPath ? 'page' : undefined}>
              Assigned to you
            </a>
            <a href={createdPath} aria-current={path === createdPath ? 'page' : undefined}>
              Created by you
            </a>
          </nav>
          <IssueList
            path={path}
            query={query}
            page={found}
            without={scope === 'ASSIGNED_TO_ME' ? 'assignee' : 'author'}
            begin={
              <>
                Issues belong to projects: <a href="/explore/projects?scope=mine">find one</a>.
              </>
            }
          />
        </Layout>,
      );
    },
  });
  return [
    page(myIssuesPath, 'my issues', 'ASSIGNED_TO_ME'),
    page(createdPath, 'issues created by me', 'CREATED_BY_ME'),
  ];
}
