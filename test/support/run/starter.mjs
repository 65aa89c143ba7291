// Starts programs for a test process, which is large: a fork copies its page tables, so that git takes seven times as long
// to start from there as from here. As a thread, this file passes what it is asked on to itself as a process, and wakes
// the test process, which may wait for the answer.
import { fork, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isMainThread, workerData } from 'node:worker_threads';

if (isMainThread) startPrograms();
else passOn(workerData);

function passOn({ port, answers }) {
  const starter = fork(fileURLToPath(import.meta.url), {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  port.on('message', (request) => void starter.send(request));
  starter.on('message', (answer) => {
    port.postMessage(answer);
    Atomics.add(answers, 0, 1);
    Atomics.notify(answers, 0);
  });
}

function startPrograms() {
  const running = new Map();
  const kill = (id) => {
    const pid = running.get(id)?.pid;
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  };
  // Without a program, the request is to kill the one that has its number.
  process.on('message', ({ id, file, args, cwd, env, input, together }) => {
    if (file === undefined) return kill(id);
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A group of its own: its helpers end with it.
      detached: true,
    });
    running.set(id, child);
    const stdout = [];
    const stderr = together ? stdout : [];
    let failure;
    child.stdout.on('data', (bytes) => stdout.push(bytes));
    child.stderr.on('data', (bytes) => stderr.push(bytes));
    child.stdin?.on('error', () => undefined).end(input);
    child.on('error', ({ message }) => void (failure = message));
    child.on('exit', () => running.delete(id));
    child.on('close', (code) => {
      running.delete(id);
      process.send({
        id,
        code: code ?? -1,
        failure,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(together ? [] : stderr),
      });
    });
  });
  process.on('disconnect', () => {
    for (const id of running.keys()) kill(id);
    process.exit();
  });
}
