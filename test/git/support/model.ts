import { plainGit } from './engine.ts';
import type { Repository } from '../../../src/git/repository.ts';

/** Every file of a commit by plain git: its mode and its text, by path. */
export function filesOf(repository: Repository, commit: string): Record<string, string> {
  const listed = plainGit(repository.path, ['ls-tree', '-r', '-z', commit]).split('\0').filter(Boolean);
  return Object.fromEntries(
    listed.map((line) => {
      const [, mode, id, path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line)!;
      return [path!, `${mode} ${plainGit(repository.path, ['cat-file', 'blob', id!])}`];
    }),
  );
}
