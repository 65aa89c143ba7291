// A small SSH client for git (`core.sshCommand`): node client.mjs KEY HOST-KEY [options] user@host command.
// KEY is a file with a private key. It accepts only HOST-KEY, a fingerprint, or any one for `-`.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import ssh from 'ssh2';

const [keyFile, hostKey, ...rest] = process.argv.slice(2);
let port = 22;
const words = [];
while (rest.length > 0) {
  const word = rest.shift();
  if (word === '-p') port = Number(rest.shift());
  else if (word === '-o') rest.shift();
  else if (word !== '-x') words.push(word);
}
const [username, host] = words.shift().split('@');

const client = new ssh.Client();
const fail = (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(255);
};
client.on('error', fail);
client.on('ready', () => {
  const env = process.env.GIT_PROTOCOL ? { GIT_PROTOCOL: process.env.GIT_PROTOCOL } : undefined;
  client.exec(words.join(' '), { env }, (error, channel) => {
    if (error) return fail(error);
    let code = 255;
    channel.on('exit', (given) => (code = given ?? 255));
    channel.on('close', () => {
      client.end();
      process.exitCode = code;
    });
    channel.pipe(process.stdout);
    channel.stderr.pipe(process.stderr);
    process.stdin.pipe(channel);
  });
});
client.connect({
  host,
  port,
  username,
  privateKey: readFileSync(keyFile),
  hostVerifier: (key) =>
    hostKey === '-' || `SHA256:${createHash('sha256').update(key).digest('base64').replace('=', '')}` === hostKey,
});
client.setNoDelay(true);
