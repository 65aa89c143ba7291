export async function writeDocument(_root: string, _results: string): Promise<void> {}
