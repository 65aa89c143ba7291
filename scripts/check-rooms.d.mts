export function readSources(): Map<string, string>;
export function roomOf(path: string): string;
export function breaches(sources: ReadonlyMap<string, string>): string[];
