import { listRoute } from '../../engine/list-route.ts';
import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { Epic, epicFields, type EpicData } from './record.ts';

const tag = 'Epics';
const path = '/api/v4/groups/:id/epics';

export const epicRoutes: readonly AnyRoute[] = [
  listRoute<EpicData>({
    path,
    summary: 'List the epics of a group',
    tag,
    of: 'Epic',
    parameters: [
      { name: 'iids', type: 'integers', description: 'Only those with these numbers in the group.' },
      { name: 'search', type: 'string', description: 'Words in the title or the description.' },
      {
        name: 'order_by',
        type: 'string',
        allowed: ['created_at', 'updated_at', 'title'],
        default: 'created_at',
        description: 'What they are sorted by.',
      },
      { name: 'sort', type: 'string', allowed: ['asc', 'desc'], default: 'desc', description: 'Its direction.' },
    ],
    field: 'epics',
    args: { group: 'ID!', iids: '[Int!]', search: 'String', sort: 'String' },
    selection: epicFields,
    variables: ({ id, iids, search, order_by: by, sort }) => ({
      group: id,
      iids: (iids as readonly string[] | null | undefined)?.map(Number),
      search,
      sort: `${String(by).replace('_at', '')}_${String(sort)}`,
    }),
    record: Epic,
  }),
  route<{ epic: EpicData }>({
    method: 'GET',
    path: `${path}/:epic_iid`,
    summary: 'Get an epic of a group',
    tag,
    parameters: [],
    operation: `query ($group: ID!, $iid: ID!) { epic(group: $group, iid: $iid) { ${epicFields} } }`,
    variables: ({ id, epic_iid: iid }) => ({ group: id, iid }),
    record: recordOf(Epic, ({ epic }) => epic),
    dialect: 'version 4',
  }),
  route<{ createEpic: { epic: EpicData } }>({
    method: 'POST',
    path,
    summary: 'Create an epic in a group',
    tag,
    parameters: [
      { name: 'title', type: 'string', required: true, description: 'Title.' },
      { name: 'description', type: 'string', description: 'What it is about, in Markdown.' },
    ],
    example: { title: 'A new harbour' },
    operation: `mutation ($input: CreateEpicInput!) { createEpic(input: $input) { epic { ${epicFields} } } }`,
    variables: ({ id, title, description }) => ({ input: { groupPath: id, title: title ?? '', description } }),
    status: 201,
    record: recordOf(Epic, ({ createEpic }) => createEpic.epic),
    refusals: [404],
    dialect: 'version 4',
  }),
];
