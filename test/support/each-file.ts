import { afterAll } from 'vitest';
import { endFile } from './after-file.ts';

// Runs once for each test file, also where files share their modules. Hooks of the file itself come before it.
afterAll(endFile);
