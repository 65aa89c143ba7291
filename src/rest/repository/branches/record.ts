import { objectSchema, type Record } from '../../engine/record.ts';
import { flag, text } from '../../engine/schemas.ts';
import { Commit, commitFields, type CommitData } from '../commits/record.ts';

export interface BranchData {
  readonly name: string;
  readonly commit: CommitData;
  readonly merged: boolean;
  readonly protected: boolean;
  readonly developersCanPush: boolean;
  readonly developersCanMerge: boolean;
  readonly canPush: boolean;
  readonly default: boolean;
  readonly webUrl: string;
}

/** The fields that operations select for the record. */
export const branchFields = `name merged protected developersCanPush developersCanMerge canPush default webUrl
  commit { ${commitFields} }`;

/** A branch. */
export const Branch: Record<BranchData> = {
  name: 'Branch',
  schema: objectSchema({
    name: text,
    commit: Commit.schema,
    merged: { ...flag, description: 'Whether the default branch has all its commits.' },
    protected: flag,
    developers_can_push: { ...flag, description: 'Whether a rule that protects it lets developers push.' },
    developers_can_merge: { ...flag, description: 'Whether a rule that protects it lets developers merge.' },
    can_push: { ...flag, description: 'Whether you may push to it.' },
    default: flag,
    web_url: { type: 'string', format: 'uri' },
  }),
  present: (branch) => ({
    name: branch.name,
    commit: Commit.present(branch.commit),
    merged: branch.merged,
    protected: branch.protected,
    developers_can_push: branch.developersCanPush,
    developers_can_merge: branch.developersCanMerge,
    can_push: branch.canPush,
    default: branch.default,
    web_url: branch.webUrl,
  }),
};
