export function compile(): Promise<void>;
export function compiledPath(path: string): string | undefined;
