import { spawn, type ChildProcess } from 'node:child_process';

/** An object as `git cat-file` prints it. */
export interface PlainObject {
  readonly id: string;
  readonly content: Buffer;
}

/** The least code over one `git cat-file --batch-command`: no bounds, no checks, no restart. */
export class PlainGit {
  readonly #child: ChildProcess;
  readonly #waiting: ((object: PlainObject) => void)[] = [];
  #bytes: Buffer = Buffer.alloc(0);

  constructor(folder: string) {
    this.#child = spawn('git', ['cat-file', '--batch-command'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.stdout!.on('data', (bytes: Buffer) => {
      this.#bytes = this.#bytes.length > 0 ? Buffer.concat([this.#bytes, bytes]) : bytes;
      for (;;) {
        const end = this.#bytes.indexOf(10);
        const [id, , length] = this.#bytes.toString('latin1', 0, end).split(' ');
        const size = Number(length);
        if (end < 0 || this.#bytes.length < end + size + 2) return;
        this.#waiting.shift()!({ id: id!, content: this.#bytes.subarray(end + 1, end + 1 + size) });
        this.#bytes = this.#bytes.subarray(end + size + 2);
      }
    });
  }

  /** The object with a name, which exists. */
  read(name: string): Promise<PlainObject> {
    this.#child.stdin!.write(`contents ${name}\n`);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#child.kill();
  }
}
