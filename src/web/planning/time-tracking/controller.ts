import type { GraphQLSchema } from 'graphql';
import { BadRequest, InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { hostPath, takingOf, type NoteHost } from '../notes/host.ts';
import type { TimeDraft } from './time.tsx';

/** What takes time: issues, or merge requests. */
interface TimedHost extends Pick<NoteHost, 'root'> {
  readonly kind: 'issue' | 'mergeRequest';
  /** Shows its page again with what was refused. */
  readonly show: (visit: Visit, place: PlaceHead, typed: { readonly time: TimeDraft }) => Promise<Answer | null>;
}

/** Adding time that was spent, and estimating it. */
export function timePages(schema: GraphQLSchema, { root, kind, show }: TimedHost): PlaceRoute[] {
  const run = (name: 'AddSpentTime' | 'SetTimeEstimate') => {
    const input = `${kind[0]!.toUpperCase()}${kind.slice(1)}${name}Input!`;
    return compileOperation<object>(
      schema,
      `mutation ($input: ${input}) { ${kind}${name}(input: $input) { ${kind} { iid } } }`,
    );
  };
  const [spend, estimate] = [run('AddSpentTime'), run('SetTimeEstimate')];
  const saved = (visit: Visit, place: PlaceHead) =>
    seeOtherSaying('time_saved', hostPath({ root }, place, visit.named.iid!), visit);
  return [
    takingOf({ root }, 'spend', 'spend time', async (visit, place, form) => {
      const { duration = '', summary = '' } = form;
      const input = { projectPath: place.fullPath, iid: visit.named.iid, duration, summary };
      try {
        await spend.execute(visit.context, { input });
      } catch (problem) {
        if (!(problem instanceof InvalidFields)) throw problem;
        const { base = [], summary: wrongSummary } = problem.fields;
        const wrong = problem.fields['timelogs.time_spent'] ? ['Enter a time, such as 1h 30m.'] : [];
        const errors = {
          spent: [...base.map((one) => `${one}.`), ...wrong],
          summary: sentences('The summary', wrongSummary),
        };
        return await show(visit, place, { time: { spent: duration, summary, errors } });
      }
      return saved(visit, place);
    }),
    takingOf({ root }, 'estimate', 'estimate time', async (visit, place, form) => {
      const { estimate: duration = '' } = form;
      try {
        await estimate.execute(visit.context, {
          input: { projectPath: place.fullPath, iid: visit.named.iid, duration },
        });
      } catch (problem) {
        if (!(problem instanceof BadRequest)) throw problem;
        return await show(visit, place, { time: { estimate: duration, errors: { estimate: [problem.message] } } });
      }
      return saved(visit, place);
    }),
  ];
}
