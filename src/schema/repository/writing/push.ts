import { domainError, type Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { Busy, Forbidden, NotFound } from '../../../errors.ts';
import type { RefChange } from '../../../git/refs/transaction.ts';
import type { Repository } from '../../../git/repository.ts';
import { hasRoom, removeStaleLocks } from '../../../git/storage/index.ts';
import type { PushPolicy, ReceivedPush } from '../../../git/transport/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { admit, pushes, type RefPlace } from '../../../policy/index.ts';
import { repositoryIn } from '../repositories/look-up.ts';
import { writingPlace, type FirstBranch } from './place.ts';
import { settle } from './settle.ts';
import { lockRepository } from './statements.ts';
import { finish, firstOf, fullText, recordIn, refusalOf, type Recorded } from './write.ts';

/** The project of a push. */
export interface PushedTo {
  readonly id: number;
  /** What the person sees after the push. */
  readonly notice: string | undefined;
  /** What else happens once the push has happened. @returns lines for the person who pushed */
  afterwards(push: Pick<ReceivedPush, 'changes' | 'options'>): Promise<readonly string[]>;
}

/** The rules of a push: a push is a write like any other (decision 0076), asked for by git itself. */
export const pushPolicy = (context: Context, project: PushedTo, git: Repository): PushPolicy =>
  new Push(context, project, git);

/** A right that was withdrawn, or a rule that was made, while the push was under way. Git lets go of its locks. */
class Withdrawn extends Forbidden {}

/** Milliseconds for which a push may hold git's locks until it is recorded: half of what makes them abandoned. */
const longestWait = 60_000;

class Push implements PushPolicy {
  readonly #context: Context;
  readonly #project: PushedTo;
  readonly #git: Repository;
  /** The place by whose rules the push was accepted, as JSON. */
  #accepted = '';
  /** The branch that becomes the default one, if the project has none. */
  #begins: string | undefined;
  /** What a transaction recorded and git hasn't made yet. */
  #recorded: Recorded | undefined;
  #options: readonly string[] = [];
  /** What has happened. */
  readonly #done: RefChange[] = [];
  /** Branches that were made while the project had no default one. */
  readonly #made: RefChange[] = [];

  constructor(context: Context, project: PushedTo, git: Repository) {
    this.#context = context;
    this.#project = project;
    this.#git = git;
  }

  /** One refused reference refuses the whole push. */
  async accept({ changes, quarantine, options }: ReceivedPush): Promise<string | undefined> {
    this.#options = options;
    try {
      const viewer = await this.#viewerNow();
      const { place } = await this.#alone(async (sql) => {
        await removeStaleLocks(
          this.#git,
          changes.map(({ ref }) => ref),
        );
        return await this.#placeIn(sql, viewer);
      });
      this.#begins = firstOf(changes);
      this.#accepted = JSON.stringify(place);
      const git = quarantine === undefined ? this.#git : this.#git.within(quarantine);
      try {
        // What only deletes makes room.
        const grows = changes.some((change) => change.new !== undefined);
        if (grows && !(await hasRoom(this.#git, git === this.#git ? undefined : git))) return fullText(git.limits);
        return await refusalOf(git, place, changes);
      } finally {
        if (quarantine !== undefined) git.release();
      }
    } catch (error) {
      const known = domainError(error);
      if (!known) throw error;
      return known instanceof NotFound ? hiddenText : known.message;
    }
  }

  /** Git holds the locks. The rules are asked once more, if anything they depend on has changed. */
  async prepared(changes: readonly RefChange[]): Promise<void> {
    const lockedAt = Date.now();
    const viewer = await this.#viewerNow();
    this.#recorded = await this.#alone(async (sql) => {
      // The next push may take git's locks for abandoned.
      if (Date.now() - lockedAt > longestWait) throw new Busy('The repository is busy.', 30);
      const { place, first } = await this.#placeIn(sql, viewer);
      if (JSON.stringify(place) !== this.#accepted) {
        const refusal = await refusalOf(this.#git, place, changes);
        if (refusal !== undefined) throw new Withdrawn(refusal);
      }
      const begins = changes.some(({ ref }) => ref === `refs/heads/${this.#begins}`) ? this.#begins : undefined;
      const ciOptions = this.#options.filter((option) => option.startsWith('ci.'));
      const recorded = await recordIn(sql, this.#context, this.#project, { place, first, changes, begins, ciOptions });
      if (place.defaultBranch === null && recorded.defaultBranch === null) this.#made.push(...changes);
      // What this push changed itself isn't a reason to ask again.
      this.#accepted = JSON.stringify(
        recorded.defaultBranch === place.defaultBranch ? place : (await this.#placeIn(sql, viewer)).place,
      );
      return recorded;
    });
  }

  async committed(changes: readonly RefChange[]): Promise<void> {
    const recorded = this.#recorded;
    this.#recorded = undefined;
    this.#done.push(...changes);
    if (recorded) await finish(this.#context, this.#git, recorded);
  }

  async farewell(): Promise<string | undefined> {
    await this.#chooseDefault();
    const { notice } = this.#project;
    const lines = await this.#project.afterwards({ changes: this.#done, options: this.#options });
    return [...(notice === undefined ? [] : [notice]), ...lines].join('\n') || undefined;
  }

  /** The branch that was to become the default one couldn't be made, and others could. */
  async #chooseDefault(): Promise<void> {
    const begins = firstOf(this.#made);
    if (begins === undefined) return;
    const viewer = await this.#viewerNow();
    const recorded = await this.#alone(async (sql) => {
      const { place, first } = await this.#placeIn(sql, viewer);
      const chosen = await recordIn(sql, this.#context, this.#project, { place, first, changes: [], begins });
      const { id } = this.#project;
      await enqueue(sql, 'measure_repository', { projectId: id }, { key: String(id) });
      return chosen;
    });
    await finish(this.#context, this.#git, recorded);
  }

  /** @throws InvalidToken, Unauthenticated, Forbidden if the credential doesn't work any more */
  async #viewerNow(): Promise<Context['viewer']> {
    const viewer = await this.#context.credentials.now(this.#context.viewer);
    admit(viewer, { class: 'git', scopes: pushes });
    return viewer;
  }

  /** As the only writer of the repository, with nothing of earlier ones unfinished. */
  #alone<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const { id } = this.#project;
    return this.#context.database.transaction(async (sql) => {
      await sql.rows(lockRepository, [id]);
      await settle(sql, id, this.#git);
      return await work(sql);
    });
  }

  /** What decides, as it is in this transaction. @throws NotFound, Forbidden */
  async #placeIn(sql: Sql, viewer: Context['viewer']): Promise<{ place: RefPlace; first: FirstBranch }> {
    const { id } = this.#project;
    // Over the connection of the transaction: pushes that each wait for a second one would wait for each other.
    const within = Object.assign(Object.create(this.#context) as Context, { viewer, database: sql });
    const { facts } = await repositoryIn(within, String(id));
    return await writingPlace(sql, within, { id, facts }, 'push');
  }
}

const hiddenText = "The project you were looking for could not be found or you don't have permission to view it.";
