import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Endurance } from './endurance.ts';
import { slugOf } from './profile.ts';
import { toMarkdown, type Report } from './report.ts';

/** Between these lines of docs/performance.md nobody writes by hand. */
const [begins, ends] = ['<!-- Figures: npm run bench -- --document -->', '<!-- End of the figures. -->'];

/** Where each part of the figures comes from. */
const parts: readonly {
  readonly title: string;
  readonly file: string;
  readonly command: string;
  readonly show: (text: string) => string;
}[] = [
  {
    title: 'Against the floor and the peers',
    file: 'latest.json',
    command: 'npm run bench -- --runs 3',
    show: reported,
  },
  {
    title: 'Large data against small',
    file: 'sizes.json',
    command: 'npm run bench -- --size both --runs 3',
    show: reported,
  },
  {
    title: 'Memory over many requests',
    file: 'endurance.json',
    command: 'npm run bench -- --endurance 5000000',
    show: (text) => `\`npm run bench -- --endurance\`: ${(JSON.parse(text) as Endurance).summary}`,
  },
];

function reported(text: string): string {
  return toMarkdown(JSON.parse(text) as Report);
}

/**
 * Writes the last results into docs/performance.md, and the picture beside it.
 * @throws Error when the document has lost its marks
 */
export async function writeDocument(root: string, results: string, tell: (message: string) => void): Promise<void> {
  const file = join(root, 'docs/performance.md');
  const document = await readFile(file, 'utf8');
  const [from, to] = [document.indexOf(begins), document.indexOf(ends)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md lacks the lines "${begins}" and "${ends}".`);
  const sections: string[] = [];
  for (const { title, file: name, command, show } of parts) {
    const text = await readFile(join(results, name), 'utf8').catch(() => undefined);
    if (text === undefined) tell(`${title}: no results, left out. Run ${command} first.`);
    else sections.push(`### ${title}\n\n${show(text)}`);
  }
  await writeFile(file, `${document.slice(0, from)}${begins}\n\n${sections.join('\n')}\n${document.slice(to)}`);
  await mkdir(join(root, 'docs/images'), { recursive: true });
  await copyFile(join(results, `${slugOf('settings, global')}.svg`), join(root, 'docs/images/request.svg')).catch(() =>
    tell('The picture: not drawn yet. Run npm run bench -- --profile settings first.'),
  );
}
