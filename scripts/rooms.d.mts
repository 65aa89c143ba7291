export const free: readonly string[];
export const composition: readonly string[];
export const mayImport: Readonly<Record<string, readonly string[]>>;
export const sqlFiles: RegExp;
