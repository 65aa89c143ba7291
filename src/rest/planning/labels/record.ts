import { objectSchema, type Record } from '../../engine/record.ts';

/** A label inside an issue. */
export interface LabelData {
  readonly id: number;
  readonly title: string;
  readonly color: string;
  readonly textColor: string;
  readonly description: string | null;
  readonly archived: boolean;
}

export const labelFields = 'id: databaseId title color textColor description archived';

export const Label: Record<LabelData> = {
  name: 'LabelDetails',
  schema: objectSchema({
    id: { type: 'integer' },
    name: { type: 'string' },
    color: { type: 'string' },
    description: { type: ['string', 'null'] },
    description_html: { type: 'string' },
    text_color: { type: 'string' },
    archived: { type: 'boolean' },
  }),
  present: ({ id, title, color, textColor, description, archived }) => ({
    id,
    name: title,
    color,
    description,
    description_html: (description ?? '').replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`),
    text_color: textColor,
    archived,
  }),
};
