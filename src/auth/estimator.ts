import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs as graphs, dictionary } from '@zxcvbn-ts/language-common';

/** Estimates how many guesses a password withstands. A module of its own, so that it is loaded when it is first needed. */
export const estimator = new ZxcvbnFactory({ dictionary, graphs });
