import { setFlagsFromString } from 'node:v8';

/*
 * Prisma compiles each shape of a query once and keeps the plan. V8 sees a busy
 * module of 3 MB and optimizes it in the background: 40 MB more, and a quarter of a
 * second's work after the first query, while the compilation of a shape takes as
 * long as before. Read when such a module is loaded, so it must be said before.
 */
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');
