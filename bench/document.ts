import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Endurance } from './endurance.ts';
import { slugOf } from './profile.ts';
import { toMarkdown, type Report } from './report.ts';

/** The lines of docs/performance.md between these marks are generated. */
const [begins, ends] = ['<!-- Figures: npm run bench -- --document -->', '<!-- End of the figures. -->'];

/** The results behind each part of the figures. */
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
 * Writes the last results into docs/performance.md, and copies the picture.
 * @throws Error when the document lacks the marks
 */
export async function writeDocument(root: string, results: string, print: (message: string) => void): Promise<void> {
  const file = join(root, 'docs/performance.md');
  const document = await readFile(file, 'utf8');
  const [from, to] = [document.indexOf(begins), document.indexOf(ends)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md lacks the lines "${begins}" and "${ends}".`);
  const sections: string[] = [];
  for (const { title, file: name, command, show } of parts) {
    const text = await readFile(join(results, name), 'utf8').catch(() => undefined);
    if (text === undefined) print(`${title}: no results, omitted. Run ${command} first.`);
    else sections.push(`### ${title}\n\n${show(text)}`);
  }
  await writeFile(file, `${document.slice(0, from)}${begins}\n\n${sections.join('\n')}\n${document.slice(to)}`);
  await mkdir(join(root, 'docs/images'), { recursive: true });
  await copyFile(join(results, `${slugOf('settings, global')}.svg`), join(root, 'docs/images/request.svg')).catch(() =>
    print('The picture: missing. Run npm run bench -- --profile settings first.'),
  );
}
