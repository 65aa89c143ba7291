import type { Context } from '../../../context.ts';
import {
  adminNote,
  adminPersonalSnippet,
  adminProjectSnippet,
  createNote,
  holds,
  readInternalNote,
  type Condition,
  type Facts,
} from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { rightsIn } from '../place/rights.ts';
import type { SnippetRecord } from './statements/reading.ts';
import { Snippet } from './types.ts';

/** A snippet, with what decides what the viewer may do with it. */
interface SnippetRights {
  readonly isOfProject: boolean;
  readonly facts: Facts;
}

async function rightsOn(context: Context, snippet: SnippetRecord): Promise<SnippetRights> {
  const { projectId, authorId, visibility } = snippet;
  const place = projectId === null ? undefined : await rightsIn(context, projectId);
  const facts: Facts = { visibility: 'PUBLIC', accessLevel: 0, ...place, snippet: { authorId, visibility } };
  return { isOfProject: projectId !== null, facts };
}

const mayChange = ({ isOfProject, facts }: SnippetRights, _args: object, { viewer }: Context) =>
  holds(isOfProject ? adminProjectSnippet : adminPersonalSnippet, viewer, facts);

/** Personal snippets take neither comments nor emoji. */
const may = (rule: Condition, description: string) => ({
  description,
  resolve: ({ isOfProject, facts }: SnippetRights, _args: object, { viewer }: Context) =>
    isOfProject && holds(rule, viewer, facts),
});

const SnippetPermissions = builder.objectRef<SnippetRights>('SnippetPermissions').implement({
  description: 'What you may do with a snippet.',
  fields: (t) => ({
    readSnippet: t.boolean({ description: 'True: you read it.', resolve: () => true }),
    updateSnippet: t.boolean({ description: 'Whether you change it.', resolve: mayChange }),
    adminSnippet: t.boolean({ description: 'Whether you remove it.', resolve: mayChange }),
    createNote: t.boolean(may(createNote, 'Whether you comment on it.')),
    awardEmoji: t.boolean(may(createNote, 'Whether you give emoji to it.')),
    readInternalNote: t.boolean(may(readInternalNote, 'Whether you read and write internal comments.')),
    adminNote: t.boolean(may(adminNote, 'Whether you change and delete the comments of others.')),
    resolveNote: t.boolean({ description: 'Always false: its threads aren’t resolved.', resolve: () => false }),
    reportSnippet: t.boolean({ description: 'Always false: snippets aren’t reported here.', resolve: () => false }),
  }),
});

builder.objectField(Snippet, 'userPermissions', (t) =>
  t.field({ type: SnippetPermissions, resolve: (snippet, _args, context) => rightsOn(context, snippet) }),
);
