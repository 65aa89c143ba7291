import { builder } from '../../engine/builder.ts';

/** An issue or a merge request: only the latter has branches. */
interface Item {
  readonly id: number;
  readonly projectPath: string;
  readonly iid: number;
  readonly title: string;
  readonly sourceBranch?: string;
}

/** A project or a group: only the former is in a namespace. */
interface Place {
  readonly id: number;
  readonly fullPath: string;
  readonly name: string;
  readonly namespaceId?: number;
}

/** The path of the page of what a to-do is about. */
function pathOf(one: Item | Place): string {
  if ('fullPath' in one) return one.namespaceId === undefined ? `/groups/${one.fullPath}` : `/${one.fullPath}`;
  return `/${one.projectPath}/-/${one.sourceBranch === undefined ? 'issues' : 'merge_requests'}/${one.iid}`;
}

/** What to-dos are about. */
export const Todoable = builder.interfaceRef<Item | Place>('Todoable').implement({
  description: 'What a to-do is about.',
  resolveType(one) {
    if ('fullPath' in one) return one.namespaceId === undefined ? 'Group' : 'Project';
    return one.sourceBranch === undefined ? 'Issue' : 'MergeRequest';
  },
  fields: (t) => ({
    name: t.string({
      nullable: true,
      description: 'Its title or name.',
      resolve: (one) => ('title' in one ? one.title : one.name),
    }),
    webUrl: t.string({
      nullable: true,
      description: 'Its page.',
      resolve: (one, _args, { baseUrl }) => `${baseUrl}${pathOf(one)}`,
    }),
  }),
});
