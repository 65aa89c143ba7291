import { escapedHtml } from '../../../values/text/html.ts';
import { builder } from '../../engine/builder.ts';
import { headOf } from '../../pipelines/pipelines/head.ts';
import { Pipeline, refPathOf } from '../../pipelines/pipelines/types.ts';
import { readableMergeRequestById } from './read.ts';
import { MergeRequest } from './types.ts';

/** The merge requests that pipelines were made for. */

const PipelineMergeRequestEventType = builder.enumType('PipelineMergeRequestEventType', {
  description: 'What a pipeline of a merge request runs on.',
  values: { DETACHED: { description: 'Its source branch, without the target.' } } as const,
});

const link = (path: string, name: string, text: string) =>
  `<a class="${name}" href="${escapedHtml(path)}">${escapedHtml(text)}</a>`;

builder.objectFields(Pipeline, (t) => ({
  mergeRequest: t.field({
    type: MergeRequest,
    nullable: true,
    description: 'The merge request that it was made for; null without one, and if you don’t read it.',
    resolve: ({ mergeRequestId }, _args, context) => readableMergeRequestById(context, mergeRequestId),
  }),
  mergeRequestEventType: t.field({
    type: PipelineMergeRequestEventType,
    nullable: true,
    description: 'Null unless it was made for a merge request.',
    direct: true,
    resolve: ({ mergeRequestId }) => (mergeRequestId === null ? null : ('DETACHED' as const)),
  }),
  refText: t.string({
    description: 'What it is for, as HTML: its branch or tag, and the merge request.',
    resolve: async (pipeline, _args, context) => {
      const { mergeRequestId, projectPath, ref } = pipeline;
      const [one, head] = await Promise.all([
        readableMergeRequestById(context, mergeRequestId),
        headOf(context, pipeline),
      ]);
      const branch =
        head === undefined
          ? `<span class="ref-name">${escapedHtml(ref)}</span>`
          : link(refPathOf(projectPath, ref), 'ref-name', ref);
      if (!one) return `for ${branch}`;
      return `for ${link(`/${one.projectPath}/-/merge_requests/${one.iid}`, 'mr-iid', `!${one.iid}`)} with ${branch}`;
    },
  }),
}));
