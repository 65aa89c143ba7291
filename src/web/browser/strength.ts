import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { strengthOf, type Strength } from '../../values/text/passwords.ts';

/**
 * The gateway's own judgement of passwords, with its lists of common ones. Pages load it once a person types a new
 * password: it is larger than a page.
 */

declare global {
  interface Window {
    /** @param known public facts about the person and the instance */
    strengthOf?: (password: string, known: readonly string[]) => Strength;
  }
}

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
window.strengthOf = (password, known) => strengthOf(estimator, password, known);
