import { MultiBar, Presets, type SingleBar } from 'cli-progress';

/** How far a long piece of work has come, as people watch it. */
export interface Display {
  progress(this: void, label: string, done: number, all: number): void;
  end(this: void): void;
}

/** Bars on a terminal; in files and pipes a line for each kind when it is done. On standard error: the result is elsewhere. */
const display = (): Display => (process.stderr.isTTY ? bars() : lines);

/** Shows how a piece of work comes on. */
export async function watched<T>(work: (progress: Display['progress']) => Promise<T>): Promise<T> {
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
