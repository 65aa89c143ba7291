// Prints a bill of materials (CycloneDX, JSON) of what a gateway runs: the packages that it loads, and those that the
// build bundled. npm alone doesn't know the second kind, which are `devDependencies`. Needs no network.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfNeeded } from './build.mjs';
import { root } from './run-bundled.mjs';

/** npm's own bill, from the lock file. */
function bill(...options) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...options];
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }));
}

await buildIfNeeded();
const whole = bill();
const installed = bill('--omit=dev').components.map((component) => component['bom-ref']);
const bundled = new Set(
  JSON.parse(readFileSync(join(root, 'dist/bundled.json'), 'utf8')).map(({ name, version }) => `${name}@${version}`),
);
const kept = new Set([whole.metadata.component['bom-ref'], ...installed, ...bundled]);
process.stdout.write(
  `${JSON.stringify(
    {
      ...whole,
      components: whole.components
        .filter((component) => kept.has(component['bom-ref']))
        // npm calls "optional" what only the build installs.
        .map((component) => (bundled.has(component['bom-ref']) ? { ...component, scope: 'required' } : component)),
      dependencies: whole.dependencies
        .filter(({ ref }) => kept.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) })),
    },
    null,
    2,
  )}\n`,
);
