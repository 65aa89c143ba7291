import { builder } from '../../engine/builder.ts';

/** What to-dos are about. */
export const Todoable = builder
  .interfaceRef<{ readonly id: number; readonly projectPath: string; readonly iid: number }>('Todoable')
  .implement({
    description: 'What a to-do is about.',
    // Nothing else has to-dos yet.
    resolveType: () => 'Issue',
    fields: (t) => ({
      webUrl: t.string({
        nullable: true,
        description: 'Its page.',
        resolve: ({ projectPath, iid }, _args, { baseUrl }) => `${baseUrl}/${projectPath}/-/issues/${iid}`,
      }),
    }),
  });
