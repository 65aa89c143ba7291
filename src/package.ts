import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's own folder, from the sources and from the bundle alike. */
export const packageFolder = fileURLToPath(new URL('..', import.meta.url));

export const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
