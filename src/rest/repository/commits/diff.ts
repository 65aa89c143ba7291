import { objectSchema, type Record } from '../../engine/record.ts';
import { flag, text } from '../../engine/schemas.ts';

export interface DiffData {
  readonly diff: string;
  readonly newPath: string;
  readonly oldPath: string;
  readonly aMode: string;
  readonly bMode: string;
  readonly newFile: boolean;
  readonly renamedFile: boolean;
  readonly deletedFile: boolean;
  readonly tooLarge: boolean;
}

/** The fields of the record, for operations with the variable `$unified`. */
export const diffFields =
  'diff(unified: $unified) newPath oldPath aMode bMode newFile renamedFile deletedFile tooLarge';

/** How a file differs. */
export const Diff: Record<DiffData> = {
  name: 'Diff',
  schema: objectSchema({
    diff: text,
    collapsed: flag,
    too_large: flag,
    new_path: text,
    old_path: text,
    a_mode: text,
    b_mode: text,
    new_file: flag,
    renamed_file: flag,
    deleted_file: flag,
    generated_file: flag,
  }),
  present: (one) => ({
    diff: one.diff,
    collapsed: false,
    too_large: one.tooLarge,
    new_path: one.newPath,
    old_path: one.oldPath,
    a_mode: one.aMode,
    b_mode: one.bMode,
    new_file: one.newFile,
    renamed_file: one.renamedFile,
    deleted_file: one.deletedFile,
    generated_file: false,
  }),
};
