import { listRoute } from '../../engine/list-route.ts';
import { objectSchema, recordOf, type Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { moment } from '../../engine/schemas.ts';
import { nameOf, notFound } from '../issues/actions.ts';
import {
  IssueBasic,
  issueBasicFields,
  issueSchema,
  listedIssueFields,
  optionalOfIssue,
  presentIssue,
  type IssueBasicData,
  type IssueData,
} from '../issues/record.ts';

const path = '/api/v4/projects/:id/issues/:issue_iid/links';
const tag = 'Issue links';

interface RelatedData {
  readonly id: number;
  readonly linkType: string;
  readonly linkCreatedAt: string;
  readonly linkUpdatedAt: string;
  readonly issue: IssueData;
}

const linkType = { type: 'string', const: 'relates_to' };

const RelatedIssue: WireRecord<RelatedData> = {
  name: 'RelatedIssue',
  schema: objectSchema(
    {
      ...issueSchema,
      issue_link_id: { type: 'integer' },
      link_type: linkType,
      link_created_at: moment,
      link_updated_at: moment,
    },
    optionalOfIssue,
  ),
  present: (related) =>
    Object.assign(presentIssue(related.issue), {
      issue_link_id: related.id,
      link_type: related.linkType.toLowerCase(),
      link_created_at: related.linkCreatedAt,
      link_updated_at: related.linkUpdatedAt,
    }),
};

interface LinkData {
  readonly id: number;
  readonly source: IssueBasicData;
  readonly target: IssueBasicData;
  readonly linkType: string;
}

const linkFields = `id: databaseId linkType source { ${issueBasicFields} } target { ${issueBasicFields} }`;

const IssueLink: WireRecord<LinkData> = {
  name: 'IssueLink',
  schema: objectSchema({
    id: { type: 'integer' },
    source_issue: IssueBasic.schema,
    target_issue: IssueBasic.schema,
    link_type: linkType,
  }),
  present: (link) => ({
    id: link.id,
    source_issue: IssueBasic.present(link.source),
    target_issue: IssueBasic.present(link.target),
    link_type: link.linkType.toLowerCase(),
  }),
};

const missing = { ...notFound, IssueLink: '404 Not found', IssueLinkRight: 'No Issue Link found' };

export const issueLinkRoutes: readonly AnyRoute[] = [
  listRoute<RelatedData>({
    path,
    summary: 'List the issues that are linked with an issue',
    tag,
    of: 'Issue',
    size: 100,
    parameters: [],
    field: 'relatedIssues',
    args: { project: 'ID!', iid: 'String!' },
    selects: { details: 'Boolean!' },
    selection: `id: databaseId linkType linkCreatedAt linkUpdatedAt issue { ${listedIssueFields} }`,
    variables: ({ id: project, issue_iid: iid }) => ({ project, iid, details: false }),
    missing,
    record: RelatedIssue,
  }),
  route<{ linkIssues: { link: LinkData } }>({
    method: 'POST',
    path,
    summary: 'Link an issue with another one',
    tag,
    parameters: [
      {
        name: 'target_project_id',
        type: 'string',
        required: true,
        description: 'ID or full path of the other project.',
      },
      { name: 'target_issue_iid', type: 'integer', required: true, description: 'IID of the other issue.' },
      {
        name: 'link_type',
        type: 'string',
        allowed: ['relates_to'],
        default: 'relates_to',
        description: 'How they are related.',
      },
    ],
    operation: `mutation ($input: LinkIssuesInput!) { linkIssues(input: $input) { link { ${linkFields} } } }`,
    variables: (values) => ({
      input: {
        ...nameOf(values),
        targetProjectPath: String(values.target_project_id ?? ''),
        targetIid: String(values.target_issue_iid ?? ''),
      },
    }),
    status: 201,
    refusals: [409],
    missing,
    record: recordOf(IssueLink, ({ linkIssues }) => linkIssues.link),
    dialect: 'version 4',
  }),
  route<{ issueLink: LinkData }>({
    method: 'GET',
    path: `${path}/:issue_link_id`,
    summary: 'Get a link of an issue',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $iid: String!, $link: ID!) { issueLink(project: $project, iid: $iid, id: $link) { ${linkFields} } }`,
    variables: ({ id: project, issue_iid: iid, issue_link_id: link }) => ({ project, iid, link }),
    missing,
    record: recordOf(IssueLink, ({ issueLink }) => issueLink),
    dialect: 'version 4',
  }),
  route<{ unlinkIssues: { link: LinkData } }>({
    method: 'DELETE',
    path: `${path}/:issue_link_id`,
    summary: 'Remove a link of an issue',
    tag,
    parameters: [],
    operation: `mutation ($input: UnlinkIssuesInput!) { unlinkIssues(input: $input) { link { ${linkFields} } } }`,
    variables: (values) => ({ input: { ...nameOf(values), linkId: values.issue_link_id } }),
    missing,
    record: recordOf(IssueLink, ({ unlinkIssues }) => unlinkIssues.link),
    dialect: 'version 4',
  }),
];
