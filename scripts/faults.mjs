// Bundles the fault suite and runs it: see faults/main.ts.
import { root, runBundled } from './run-bundled.mjs';

await runBundled({ main: 'faults/main.ts' }, 'main', () => ({ FAULTS_ROOT: root }));
