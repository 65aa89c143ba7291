import type { Context } from '../../../context.ts';
import {
  adminNote,
  adminPersonalSnippet,
  adminProjectSnippet,
  createNote,
  holds,
  mayChange,
  readInternalNote,
  type Condition,
  type Facts,
} from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { rightsById } from '../../places/projects/permissions.ts';
import type { SnippetRecord } from './statements/reading.ts';
import { Snippet } from './types.ts';

/** A snippet, with what decides what the viewer may do with it. */
interface SnippetRights {
  readonly isOfProject: boolean;
  readonly facts: Facts;
  readonly archived: boolean;
}

async function rightsOn(context: Context, snippet: SnippetRecord): Promise<SnippetRights> {
  const { projectId, authorId, visibility } = snippet;
  const project = projectId === null ? undefined : (await rightsById(context, projectId))!;
  const facts: Facts = { visibility: 'PUBLIC', accessLevel: 0, ...project?.facts, snippet: { authorId, visibility } };
  return { isOfProject: project !== undefined, facts, archived: project?.archived ?? false };
}

const mayAdmin = ({ isOfProject, facts, archived }: SnippetRights, _args: object, { viewer }: Context) =>
  mayChange(isOfProject ? adminProjectSnippet : adminPersonalSnippet, viewer, facts, archived);

/** Personal snippets take neither comments nor emoji. */
const may = (rule: Condition, description: string) => ({
  description,
  resolve: ({ isOfProject, facts, archived }: SnippetRights, _args: object, { viewer }: Context) =>
    isOfProject && mayChange(rule, viewer, facts, archived),
});

const SnippetPermissions = builder.objectRef<SnippetRights>('SnippetPermissions').implement({
  description: 'What you may do with a snippet.',
  fields: (t) => ({
    readSnippet: t.boolean({ description: 'True: you read it.', resolve: () => true }),
    updateSnippet: t.boolean({ description: 'Whether you change it.', resolve: mayAdmin }),
    adminSnippet: t.boolean({ description: 'Whether you remove it.', resolve: mayAdmin }),
    createNote: t.boolean(may(createNote, 'Whether you comment on it.')),
    awardEmoji: t.boolean(may(createNote, 'Whether you give emoji to it.')),
    readInternalNote: t.boolean({
      description: 'Whether you read and write internal comments.',
      resolve: ({ isOfProject, facts }, _args, { viewer }) => isOfProject && holds(readInternalNote, viewer, facts),
    }),
    adminNote: t.boolean(may(adminNote, 'Whether you change and delete the comments of others.')),
    resolveNote: t.boolean({ description: 'Always false: its threads aren’t resolved.', resolve: () => false }),
    reportSnippet: t.boolean({ description: 'Always false: snippets aren’t reported here.', resolve: () => false }),
  }),
});

builder.objectField(Snippet, 'userPermissions', (t) =>
  t.field({ type: SnippetPermissions, resolve: (snippet, _args, context) => rightsOn(context, snippet) }),
);
