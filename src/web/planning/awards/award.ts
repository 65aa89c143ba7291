/** An emoji that a person gave. */
export interface Award {
  readonly name: string;
  readonly emoji: string;
  readonly user: { readonly name: string; readonly username: string };
}

/** What a person typed instead of an emoji, with what is wrong with it in sentences. */
export interface AwardDraft {
  readonly name: string;
  readonly errors: readonly string[];
}

/** How many of them a page shows of one issue or comment. */
const shownAwards = 100;

export const awardsField = `awardEmoji(first: ${shownAwards}) { nodes { name emoji user { name username } } }`;
