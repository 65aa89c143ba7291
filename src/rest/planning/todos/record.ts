import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { projectIdentityFields, ProjectIdentity, type IdentityData } from '../../places/projects/record.ts';
import { Issue, issueFields, type IssueData } from '../issues/record.ts';

export interface TodoData {
  readonly id: number;
  readonly project: IdentityData;
  readonly author: UserBasicData;
  readonly action: string;
  readonly target: IssueData;
  readonly targetUrl: string;
  readonly body: string;
  readonly state: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const todoFields = `id: databaseId project { ${projectIdentityFields} } author { ${userBasicFields} } action
  target { ... on Issue { ${issueFields} } } targetUrl body state createdAt updatedAt`;

const text = { type: 'string' };
const moment = { type: 'string', format: 'date-time' };

/** Something that a person has to look at. */
export const Todo: Record<TodoData> = {
  name: 'Todo',
  schema: objectSchema({
    id: { type: 'integer' },
    project: ProjectIdentity.schema,
    author: UserBasic.schema,
    action_name: { type: 'string', enum: ['assigned', 'mentioned', 'directly_addressed', 'marked'] },
    target_type: { type: 'string', const: 'Issue' },
    target: Issue.schema,
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
    target_type: 'Issue',
    target: Issue.present(todo.target),
    target_url: todo.targetUrl,
    body: todo.body,
    state: todo.state,
    created_at: todo.createdAt,
    updated_at: todo.updatedAt,
  }),
};
