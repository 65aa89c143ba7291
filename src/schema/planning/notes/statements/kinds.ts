import { readIssue, readMergeRequest, readProjectSnippet, type Condition } from '../../../../policy/index.ts';

/** What people comment on, and where the tables of what belongs to it name it. A further kind is one more line. */

interface Kind {
  readonly table: 'issues' | 'merge_requests' | 'snippets';
  readonly column: 'issue_id' | 'merge_request_id' | 'snippet_id';
  /** Whether people take part in it, and have it to do. */
  readonly hasPeople: boolean;
  /** Who reads one, and the comments on it. */
  readonly reads: Condition;
}

const kinds = {
  Issue: { table: 'issues', column: 'issue_id', hasPeople: true, reads: readIssue },
  MergeRequest: { table: 'merge_requests', column: 'merge_request_id', hasPeople: true, reads: readMergeRequest },
  Snippet: { table: 'snippets', column: 'snippet_id', hasPeople: false, reads: readProjectSnippet },
} as const satisfies Readonly<Record<string, Kind>>;

export type NoteableKind = keyof typeof kinds;

export const noteableKinds = Object.keys(kinds) as readonly NoteableKind[];

export const kind = (name: NoteableKind): Kind => kinds[name];

/** The columns that name each kind. */
export const kindColumns: readonly Kind['column'][] = Object.values(kinds).map(({ column }) => column);

/** Something for each kind, such as a statement. */
export type OfEachKind<Value> = Readonly<Record<NoteableKind, Value>>;

export const ofEachKind = <Value>(make: (kind: NoteableKind) => Value): OfEachKind<Value> => ({
  Issue: make('Issue'),
  MergeRequest: make('MergeRequest'),
  Snippet: make('Snippet'),
});

/** What a row of `notes` is on. */
export interface NoteablePlace {
  readonly issue_id: number | null;
  readonly merge_request_id: number | null;
  readonly snippet_id: number | null;
}

/** The kinds that comments refer to each other: what a cross reference is on, and where it comes from. */
export const referring = {
  Issue: { table: 'issues', column: 'issue_id', referrer: 'referrer_id', reads: readIssue },
  MergeRequest: {
    table: 'merge_requests',
    column: 'merge_request_id',
    referrer: 'referrer_merge_request_id',
    reads: readMergeRequest,
  },
} as const satisfies Readonly<
  Record<string, Pick<Kind, 'table' | 'column'> & { readonly referrer: string; readonly reads: Condition }>
>;

export type ReferringKind = keyof typeof referring;
