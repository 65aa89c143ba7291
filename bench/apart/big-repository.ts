import { execFileSync } from 'node:child_process';

/** A repository like that of a project of some years: 5,000 commits and 1,301 files of a few kilobytes. */

const commits = 5_000;
const folders = 13;

/** The path of one of its files. */
export const someFile = (turn: number): string => `d${turn % folders}/f${turn % 100}`;
/** The path of one of its folders, with a hundred files. */
export const someFolder = (turn: number): string => `d${turn % folders}`;

/** Writes it to the branch `main` of an empty repository. */
export function fillRepository(folder: string): void {
  const parts: string[] = [];
  const file = (path: string, text: string) => `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  for (let number = 1; number <= commits; number++) {
    parts.push(
      `commit refs/heads/main\ncommitter Ann <ann@example.com> ${1_700_000_000 + number} +0000\ndata 7\nChange\n\n`,
    );
    if (number === 1) {
      for (let folder = 0; folder < folders; folder++)
        for (let leaf = 0; leaf < 100; leaf++)
          parts.push(file(`d${folder}/f${leaf}`, `${folder} ${leaf}\n`.repeat(250)));
    }
    parts.push(file(someFile(number), `${number}\n`.repeat(300)));
  }
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: folder,
    input: `${parts.join('')}done\n`,
    maxBuffer: 2 ** 26,
  });
}
