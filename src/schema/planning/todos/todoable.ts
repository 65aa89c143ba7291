import { builder } from '../../engine/builder.ts';

/** An issue or a merge request: only the latter has branches. */
interface Subject {
  readonly id: number;
  readonly projectPath: string;
  readonly iid: number;
  readonly sourceBranch?: string;
}

/** The path of the page of what a to-do is about. */
const pathOf = ({ projectPath, iid, sourceBranch }: Subject): string =>
  `/${projectPath}/-/${sourceBranch === undefined ? 'issues' : 'merge_requests'}/${iid}`;

/** What to-dos are about. */
export const Todoable = builder.interfaceRef<Subject>('Todoable').implement({
  description: 'What a to-do is about.',
  resolveType: ({ sourceBranch }) => (sourceBranch === undefined ? 'Issue' : 'MergeRequest'),
  fields: (t) => ({
    webUrl: t.string({
      nullable: true,
      description: 'Its page.',
      resolve: (one, _args, { baseUrl }) => `${baseUrl}${pathOf(one)}`,
    }),
  }),
});
