import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError } from './failure.ts';

/**
 * Reads a password. On a terminal it asks twice and doesn't show the password; from a pipe it reads the first line. It
 * never reads the arguments: other people on the machine can see them, and the shell stores them.
 * @throws CommandError when two entries differ, or none was given
 */
export async function typedPassword(of: string): Promise<string> {
  const { stdin } = process;
  const asked = stdin.isTTY ? await twice(of) : await firstLine(stdin);
  if (asked === '')
    throw new CommandError('No password was given.', 'Type one, or send it on standard input: … < file.');
  return asked;
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const reader = createInterface({ input });
  for await (const line of reader) return line;
  return '';
}

async function twice(of: string): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: hidden, terminal: true });
  // readline catches Ctrl-C on a terminal.
  reader.on('SIGINT', () => process.exit(130));
  const ask = async (question: string) => {
    process.stderr.write(question);
    const answer = await reader.question('');
    process.stderr.write('\n');
    return answer;
  };
  try {
    const password = await ask(`Password of ${of}: `);
    if (password === (await ask('Once more: '))) return password;
  } finally {
    reader.close();
  }
  throw new CommandError('The two passwords differ.', 'Run the command again.');
}
