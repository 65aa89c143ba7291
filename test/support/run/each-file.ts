import fc from 'fast-check';
import { afterAll } from 'vitest';
import { endFile } from './after-file.ts';
import { runs } from './runs.ts';

// The test command takes the same random cases each time: what fails, the change has broken. The long run draws others.
if (runs === 1) fc.configureGlobal({ seed: 4_711 });

// Runs once for each test file, also where files share their modules. Hooks of the file itself come before it.
afterAll(endFile);
