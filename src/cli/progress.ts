import { MultiBar, Presets, type SingleBar } from 'cli-progress';

/** Shows the progress of long work. */
export interface Display {
  progress(this: void, label: string, done: number, all: number): void;
  end(this: void): void;
}

/** Bars on a terminal, lines in files and pipes. On standard error, since the result goes to standard output. */
const display = (): Display => (process.stderr.isTTY ? bars() : lines);

/** Runs work and shows its progress. */
export async function withProgress<T>(work: (progress: Display['progress']) => Promise<T>): Promise<T> {
  const { progress, end } = display();
  try {
    return await work(progress);
  } finally {
    end();
  }
}

function bars(): Display {
  const all = new MultiBar({ format: '{bar} {percentage}% {value}/{total} {label}' }, Presets.shades_classic);
  const shown = new Map<string, SingleBar>();
  return {
    progress(label, done, total) {
      if (!shown.has(label)) shown.set(label, all.create(total, 0, { label }));
      shown.get(label)!.update(done);
    },
    end: () => all.stop(),
  };
}

const lines: Display = {
  progress(label, done, total) {
    if (done === total) process.stderr.write(`${total} ${label}\n`);
  },
  end() {},
};
