import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { listRoute } from '../../engine/list-route.ts';
import { objectSchema, recordOf, type JsonSchema, type Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { Label, labelFields, type LabelData } from '../labels/record.ts';
import { Milestone, milestoneFields, type MilestoneData } from '../milestones/record.ts';
import { declared, itemPlaces, passed, type NotedPlace } from './place.ts';

/** Changes of labels, milestone and state of issues and merge requests. */

interface EventData {
  readonly id: number;
  readonly user: UserBasicData;
  readonly createdAt: string;
  readonly resourceType: string;
  readonly resourceDatabaseId: number;
  readonly action: string;
  readonly label?: LabelData | null;
  readonly milestone?: MilestoneData | null;
}

interface Kind {
  readonly name: 'label' | 'milestone' | 'state';
  /** What operations select besides the fields of every kind. */
  readonly selects: string;
  readonly schema: Readonly<Record<string, JsonSchema>>;
  readonly present: (event: EventData) => object;
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const change: JsonSchema = { enum: ['add', 'remove'] };

const kinds: readonly Kind[] = [
  {
    name: 'label',
    selects: `label { ${labelFields} }`,
    schema: { label: orNull(Label.schema), action: change },
    present: ({ label, action }) => ({ label: label ? Label.present(label) : null, action: action.toLowerCase() }),
  },
  {
    name: 'milestone',
    selects: `milestone { ${milestoneFields} }`,
    schema: { milestone: orNull(Milestone.schema), action: change },
    present: ({ milestone, action }) => ({
      milestone: milestone ? Milestone.present(milestone) : null,
      action: action.toLowerCase(),
    }),
  },
  {
    name: 'state',
    selects: '',
    schema: { state: { enum: ['closed', 'reopened', 'merged'] } },
    present: ({ action }) => ({ state: action.toLowerCase() }),
  },
];

const missing = { ResourceEvent: '404 Not found' };

function routesOf({ name, selects, schema, present }: Kind, place: NotedPlace): readonly AnyRoute[] {
  const path = `${place.path}/resource_${name}_events`;
  const args = { ...place.args, kind: 'ResourceEventKind!' };
  const ofOne = { ...args, id: 'ID!' };
  const tag = 'Resource events';
  const fields = `id: databaseId user { ${userBasicFields} } createdAt resourceType resourceDatabaseId action ${selects}`;
  const record: WireRecord<EventData> = {
    name: `Resource${name[0]!.toUpperCase()}${name.slice(1)}Event`,
    schema: objectSchema({
      id: { type: 'integer' },
      user: UserBasic.schema,
      created_at: { type: 'string', format: 'date-time' },
      resource_type: { type: 'string', enum: ['Issue', 'MergeRequest'] },
      resource_id: { type: 'integer', description: 'The ID of the issue or merge request, not its IID.' },
      ...schema,
    }),
    present: (event) =>
      Object.assign(
        {
          id: event.id,
          user: UserBasic.present(event.user),
          created_at: event.createdAt,
          resource_type: event.resourceType,
          resource_id: event.resourceDatabaseId,
        },
        present(event),
      ),
  };
  const kind = name.toUpperCase();
  return [
    listRoute<EventData>({
      path,
      summary: `List the changes of the ${name} of ${place.words}`,
      tag,
      of: 'ResourceEvent',
      parameters: [],
      field: 'resourceEvents',
      args,
      selection: fields,
      variables: (values) => ({ ...place.name(values), kind }),
      record,
    }),
    route<{ resourceEvent: EventData }>({
      method: 'GET',
      path: `${path}/:event_id`,
      summary: `Get a change of the ${name} of ${place.words}`,
      tag,
      parameters: [],
      operation: `query (${declared(ofOne)}) { resourceEvent(${passed(ofOne)}) { ${fields} } }`,
      variables: (values) => ({ ...place.name(values), kind, id: values.event_id }),
      subject: 'ResourceEvent',
      missing,
      record: recordOf(record, ({ resourceEvent }) => resourceEvent),
      dialect: 'version 4',
    }),
  ];
}

export const resourceEventRoutes: readonly AnyRoute[] = itemPlaces.flatMap((place) =>
  kinds.flatMap((kind) => routesOf(kind, place)),
);
