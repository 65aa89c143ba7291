import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

let loading: Promise<ZxcvbnFactory> | undefined;

/** Estimates how many guesses a password withstands. Loaded with the first password that a person chooses: the lists take some 7 MB and a tenth of a second. */
export const loadEstimator = (): Promise<ZxcvbnFactory> => (loading ??= load());

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs: graphs, dictionary }] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]);
  return new ZxcvbnFactory({ dictionary, graphs });
}
