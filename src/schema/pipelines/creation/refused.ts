import { InvalidFields } from '../../../errors.ts';

/** Why no pipeline is made, in the words that clients know. */
export const refused = (...sentences: readonly string[]): InvalidFields => new InvalidFields({ base: [...sentences] });

/** No pipeline is made because no job asks for one: by a push, that is nothing to report. */
export class Filtered extends InvalidFields {
  constructor(sentence: string) {
    super({ base: [sentence] });
  }
}

/** The configuration is wrong. */
export class WrongConfiguration extends InvalidFields {
  readonly sentences: readonly string[];
  constructor(sentences: readonly string[]) {
    super({ base: [...sentences] });
    this.sentences = sentences;
  }
}

/** There is no configuration. */
export class NoConfiguration extends InvalidFields {
  constructor() {
    super({ base: ['Missing CI config file'] });
  }
}

/** There is a pipeline for this change already: another process was faster. */
export class AlreadyMade extends Error {
  constructor(ref: string) {
    super(`There is a pipeline for this change of ${ref}.`);
  }
}
