// Bundles the fuzzer and runs it on the built gateway: see test/fuzz/main.ts.
import { runBundled } from './run-bundled.mjs';

await runBundled({ main: 'test/fuzz/main.ts' }, 'main');
