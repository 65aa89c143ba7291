/** How long texts may be, where more than one part of the schema says it, and what an answer says of longer ones. */

/** What is wrong with a text: clients know the words. */
export const tooLong = (characters: number): string => `is too long (maximum is ${characters} characters)`;

/** Longest title of what people name: issues, merge requests, labels, milestones, epics, snippets, keys. */
const longestTitle = 255;

/** What is wrong with the length of a title, which is counted in code points. */
export const titleProblems = (title: string): string[] =>
  [...title].length > longestTitle ? [tooLong(longestTitle)] : [];

/** Longest comment, in characters. */
export const longestNote = 1_000_000;

/** Longest description of an issue, a milestone, an epic or a snippet, in characters. */
export const longestDescription = 1_048_576;

/** Longest name or pattern of a rule that protects branches, in characters. */
export const longestRuleName = 255;

/** Most files of a snippet. */
export const mostSnippetFiles = 10;

/** Most bytes of all files of a snippet together. */
export const mostSnippetBytes = 1_048_576;
