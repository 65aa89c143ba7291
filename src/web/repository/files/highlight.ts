import { parentPort } from 'node:worker_threads';
import hljs from 'highlight.js/lib/common';
import clojure from 'highlight.js/lib/languages/clojure';
import cmake from 'highlight.js/lib/languages/cmake';
import dart from 'highlight.js/lib/languages/dart';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import elixir from 'highlight.js/lib/languages/elixir';
import erlang from 'highlight.js/lib/languages/erlang';
import groovy from 'highlight.js/lib/languages/groovy';
import haskell from 'highlight.js/lib/languages/haskell';
import nix from 'highlight.js/lib/languages/nix';
import powershell from 'highlight.js/lib/languages/powershell';
import properties from 'highlight.js/lib/languages/properties';
import protobuf from 'highlight.js/lib/languages/protobuf';
import scala from 'highlight.js/lib/languages/scala';
import { htmlLines } from './html-lines.ts';

/** The program of the thread that colours source code. */

const further = {
  clojure,
  cmake,
  dart,
  dockerfile,
  elixir,
  erlang,
  groovy,
  haskell,
  nix,
  powershell,
  properties,
  protobuf,
  scala,
};
for (const [name, language] of Object.entries(further)) hljs.registerLanguage(name, language);

/** Languages of files that are known by their whole names. */
const named: Readonly<Record<string, string>> = {
  'cmakelists.txt': 'cmake',
  containerfile: 'dockerfile',
  gemfile: 'ruby',
  jenkinsfile: 'groovy',
  rakefile: 'ruby',
  vagrantfile: 'ruby',
};

/** The language of a file; undefined if its name doesn't say. */
function languageOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  const language = named[lower] ?? lower.slice(lower.lastIndexOf('.') + 1);
  return hljs.getLanguage(language) ? language : undefined;
}

parentPort?.on('message', ({ name, text }: { name: string; text: string }) => {
  const language = languageOf(name);
  parentPort!.postMessage(language && htmlLines(hljs.highlight(text, { language, ignoreIllegals: true }).value));
});
