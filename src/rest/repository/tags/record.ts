import { objectSchema, type Record } from '../../engine/record.ts';
import { text } from '../../engine/schemas.ts';
import { Commit, commitFields, type CommitData } from '../commits/record.ts';

export interface TagData {
  readonly name: string;
  readonly message: string | null;
  readonly target: string;
  readonly commit: CommitData;
  readonly protected: boolean;
  readonly createdAt: string | null;
}

/** The fields that operations select for the record. */
export const tagFields = `name message target protected createdAt commit { ${commitFields} }`;

/** A tag. */
export const Tag: Record<TagData> = {
  name: 'Tag',
  schema: objectSchema({
    name: text,
    message: { type: ['string', 'null'], description: 'What an annotated tag says; null for a lightweight one.' },
    target: { ...text, description: 'The object that it holds: of an annotated tag, the tag’s own.' },
    commit: Commit.schema,
    release: { type: 'null', description: 'Always null.' },
    protected: { type: 'boolean' },
    created_at: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When an annotated tag was made; null for a lightweight one.',
    },
  }),
  present: (tag) => ({
    name: tag.name,
    message: tag.message,
    target: tag.target,
    commit: Commit.present(tag.commit),
    release: null,
    protected: tag.protected,
    created_at: tag.createdAt,
  }),
};
