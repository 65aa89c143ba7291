// Bundles the benchmark and the servers that it compares, and runs it: see bench/main.ts.
import { root, runBundled } from './run-bundled.mjs';

await runBundled(
  {
    main: 'bench/main.ts',
    timing: 'bench/timing.ts',
    floor: 'bench/sides/floor.ts',
    'plain-yoga': 'bench/sides/plain-yoga.ts',
    'usual-stack': 'bench/sides/usual-stack.ts',
    'oidc-provider': 'bench/sides/oidc-provider.ts',
    'http-backend': 'bench/sides/http-backend.ts',
    appender: 'bench/sides/appender.ts',
    nodemailer: 'bench/sides/nodemailer.ts',
  },
  process.argv.includes('--timing') ? 'timing' : 'main',
  (bundles) => ({ BENCH_ROOT: root, BENCH_BUNDLES: bundles }),
);
