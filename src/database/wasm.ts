import { setFlagsFromString } from 'node:v8';

/*
 * Turns off V8's WebAssembly optimizer, before any module is loaded. Prisma compiles each shape of a query once and
 * caches the plan. V8 would optimize that 3 MB module in the background: 40 MB more memory and a quarter of a second of
 * work after the first query, while compiling a shape takes as long as before.
 */
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');
