import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { moment, text } from '../../engine/schemas.ts';
import {
  BasicProject,
  basicFields,
  namespaceSchema,
  presentNamespace,
  ProjectIdentity,
  projectIdentityFields,
  type BasicData,
  type IdentityData,
  type NamespaceData,
} from '../../places/projects/record.ts';
import { MergeRequest, mergeRequestFields, type MergeRequestData } from '../../reviews/merge-requests/record.ts';
import { Issue, issueFields, type IssueData } from '../issues/record.ts';

/** Places are selected without aliases: a query may have no more of them. */
type Unaliased = Omit<NamespaceData, 'id' | 'parentId'> & {
  readonly databaseId: number;
  readonly parentDatabaseId: number | null;
};
type UnaliasedProject = Omit<BasicData, 'id' | 'namespace'> & {
  readonly databaseId: number;
  readonly namespace: Unaliased & { readonly fullName: string };
};

export interface TodoData {
  readonly id: number;
  /** Null, if it is about a group. */
  readonly project: IdentityData | null;
  /** The group that it is about, if it is about one. */
  readonly group: Omit<Unaliased, 'kind'> | null;
  readonly author: UserBasicData;
  readonly action: string;
  readonly targetType: string;
  /** What it is about: the others are empty. */
  readonly issue: IssueData;
  readonly mergeRequest: MergeRequestData;
  readonly wholeProject: UnaliasedProject;
  readonly targetUrl: string;
  readonly body: string;
  readonly state: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const todoFields = `id: databaseId project { ${projectIdentityFields} }
  group { databaseId name path fullPath parentDatabaseId avatarUrl webUrl } author { ${userBasicFields} } action targetType
  issue: target { ... on Issue { ${issueFields} } } mergeRequest: target { ... on MergeRequest { ${mergeRequestFields} } }
  wholeProject: target { ... on Project { ${basicFields.replaceAll(/\w+: /g, '')} } } targetUrl body state createdAt updatedAt`;

const actions = [
  'assigned',
  'mentioned',
  'directly_addressed',
  'marked',
  'review_requested',
  'unmergeable',
  'member_access_requested',
];

/** The type of what it is about, by its name in version 4, and its record. */
function targetOf(todo: TodoData): { readonly target_type: string; readonly target: unknown } {
  if (todo.targetType === 'MERGEREQUEST')
    return { target_type: 'MergeRequest', target: MergeRequest.present(todo.mergeRequest) };
  if (todo.targetType === 'PROJECT') return { target_type: 'Project', target: projectOf(todo) };
  if (todo.targetType === 'NAMESPACE') return { target_type: 'Namespace', target: groupOf(todo) };
  return { target_type: 'Issue', target: Issue.present(todo.issue) };
}

const aliased = <Place extends Pick<Unaliased, 'databaseId' | 'parentDatabaseId'>>(place: Place) => ({
  ...place,
  id: place.databaseId,
  parentId: place.parentDatabaseId,
});
const groupOf = ({ group }: TodoData) => group && presentNamespace({ ...aliased(group), kind: 'GROUP' });
const projectOf = ({ wholeProject }: TodoData) =>
  BasicProject.present({
    ...wholeProject,
    id: wholeProject.databaseId,
    namespace: aliased(wholeProject.namespace),
  });

/** Something that a person has to look at. */
export const Todo: Record<TodoData> = {
  name: 'Todo',
  schema: objectSchema(
    {
      id: { type: 'integer' },
      project: ProjectIdentity.schema,
      group: { ...namespaceSchema, description: 'Instead of the project, if it is about a group.' },
      author: UserBasic.schema,
      action_name: { type: 'string', enum: actions },
      target_type: { type: 'string', enum: ['Issue', 'MergeRequest', 'Project', 'Namespace'] },
      target: { anyOf: [Issue.schema, MergeRequest.schema, BasicProject.schema, namespaceSchema] },
      target_url: { type: 'string', format: 'uri' },
      body: text,
      state: { type: 'string', enum: ['pending', 'done'] },
      created_at: moment,
      updated_at: moment,
    },
    ['project', 'group'],
  ),
  present: (todo) => ({
    id: todo.id,
    ...(todo.project ? { project: ProjectIdentity.present(todo.project) } : { group: groupOf(todo) }),
    author: UserBasic.present(todo.author),
    action_name: todo.action,
    ...targetOf(todo),
    target_url: todo.targetUrl,
    body: todo.body,
    state: todo.state,
    created_at: todo.createdAt,
    updated_at: todo.updatedAt,
  }),
};
