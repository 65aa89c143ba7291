/** What messages about an occurrence are made of: read with the check of the rights, in one snapshot. */
export interface Content {
  /** Where it happened: a group for epics, a project for everything else. */
  readonly place: {
    readonly kind: 'Group' | 'Project';
    readonly id: number;
    readonly name: string;
    readonly path: string;
  };
  readonly actor: Person | null;
  readonly issue: IssueContent | null;
  readonly mergeRequest: MergeRequestContent | null;
  readonly epic: EpicContent | null;
  readonly snippet: { readonly id: number; readonly title: string } | null;
  readonly pipeline: PipelineContent | null;
  readonly commit: { readonly sha: string; readonly title: string } | null;
  readonly note: NoteContent | null;
  /** The comments of a review, the oldest first; null: it is about no review. */
  readonly review: readonly NoteContent[] | null;
  /** The former assignee and the new one, or the former reviewer and the new one, where they changed. */
  readonly formerAssignee: Person | null;
  readonly assignee: Person | null;
  /** The new milestone, of MILESTONE_CHANGED. */
  readonly milestone: string | null;
  /** The note of the system that names the commits of a push, as Markdown. */
  readonly commits: { readonly body: string } | null;
  /** A reference to where an issue moved or was copied to, or to what closed it: only for those who read that. */
  readonly target: string | null;
}

export interface Person {
  readonly name: string;
  readonly username: string;
}

/** What is shown of issues and merge requests alike. */
interface ItemContent {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  /** Null where the message doesn't show it. */
  readonly description: string | null;
  readonly author: Person | null;
  readonly assignee: Person | null;
  readonly labels: readonly string[];
  readonly milestone: string | null;
}

interface IssueContent extends ItemContent {
  readonly state: 'OPENED' | 'CLOSED';
  readonly confidential: boolean;
  /** As YYYY-MM-DD. */
  readonly dueDate: string | null;
}

interface MergeRequestContent extends ItemContent {
  readonly state: 'OPENED' | 'CLOSED' | 'LOCKED' | 'MERGED';
  readonly reviewer: Person | null;
  readonly sourceBranch: string;
  readonly targetBranch: string;
}

interface EpicContent {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly description: string | null;
  readonly author: Person | null;
}

interface PipelineContent {
  readonly id: number;
  readonly iid: number;
  readonly ref: string;
  readonly sha: string;
  readonly status: string;
  /** The names of what failed in it, a few of them. */
  readonly failed: readonly string[];
}

interface NoteContent {
  readonly id: number;
  readonly body: string;
  readonly internal: boolean;
  /** The id of its thread, in hexadecimal; null if it stands alone. */
  readonly threadId: string | null;
  /** The ids of the comments before it in the thread, the oldest first. */
  readonly earlier: readonly number[];
  /** Of a comment in a diff: its file, and the number of its line, after or before the change; without both, it is on the file. */
  readonly place: { readonly path: string; readonly newLine: number | null; readonly oldLine: number | null } | null;
}

/** Characters of a text that a message shows at most; `left` of the statement reads one more, to know whether there are more. */
export const shownLength = 50_000;
