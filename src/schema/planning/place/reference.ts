/** What a reference needs to know of the project of an issue or a merge request. */
interface Placed {
  readonly projectPath: string;
  readonly namespaceId: number;
}

/**
 * A reference as a text in a group shows it: `project#7` for what is in the group itself, otherwise with the whole path.
 * @param number with its sign
 * @param group id or full path
 */
export function referenceFrom({ projectPath, namespaceId }: Placed, number: string, group: string): string {
  const at = projectPath.lastIndexOf('/');
  const isDirect = group === String(namespaceId) || group.toLowerCase() === projectPath.slice(0, at).toLowerCase();
  return `${isDirect ? projectPath.slice(at + 1) : projectPath}${number}`;
}
