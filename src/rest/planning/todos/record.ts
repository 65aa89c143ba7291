import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { moment, text } from '../../engine/schemas.ts';
import { projectIdentityFields, ProjectIdentity, type IdentityData } from '../../places/projects/record.ts';
import { MergeRequest, mergeRequestFields, type MergeRequestData } from '../../reviews/merge-requests/record.ts';
import { Issue, issueFields, type IssueData } from '../issues/record.ts';

export interface TodoData {
  readonly id: number;
  readonly project: IdentityData;
  readonly author: UserBasicData;
  readonly action: string;
  readonly targetType: string;
  /** What it is about: the other one is empty. */
  readonly issue: IssueData;
  readonly mergeRequest: MergeRequestData;
  readonly targetUrl: string;
  readonly body: string;
  readonly state: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const todoFields = `id: databaseId project { ${projectIdentityFields} } author { ${userBasicFields} } action targetType
  issue: target { ... on Issue { ${issueFields} } } mergeRequest: target { ... on MergeRequest { ${mergeRequestFields} } } targetUrl body state createdAt updatedAt`;

const actions = ['assigned', 'mentioned', 'directly_addressed', 'marked', 'review_requested', 'unmergeable'];

/** Something that a person has to look at. */
export const Todo: Record<TodoData> = {
  name: 'Todo',
  schema: objectSchema({
    id: { type: 'integer' },
    project: ProjectIdentity.schema,
    author: UserBasic.schema,
    action_name: { type: 'string', enum: actions },
    target_type: { type: 'string', enum: ['Issue', 'MergeRequest'] },
    target: { anyOf: [Issue.schema, MergeRequest.schema] },
    target_url: { type: 'string', format: 'uri' },
    body: text,
    state: { type: 'string', enum: ['pending', 'done'] },
    created_at: moment,
    updated_at: moment,
  }),
  present: (todo) => ({
    id: todo.id,
    project: ProjectIdentity.present(todo.project),
    author: UserBasic.present(todo.author),
    action_name: todo.action,
    ...(todo.targetType === 'MERGEREQUEST'
      ? { target_type: 'MergeRequest', target: MergeRequest.present(todo.mergeRequest) }
      : { target_type: 'Issue', target: Issue.present(todo.issue) }),
    target_url: todo.targetUrl,
    body: todo.body,
    state: todo.state,
    created_at: todo.createdAt,
    updated_at: todo.updatedAt,
  }),
};
