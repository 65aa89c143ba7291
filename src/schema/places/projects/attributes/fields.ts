import { someOf } from '../../../../values/attributes/attributes.ts';
import { projectAttributes, type ProjectAttributes } from '../../../../values/attributes/project-attributes.ts';
import {
  featureSwitches,
  levelAttribute,
  levelOf,
  type Feature,
  type FeatureLevel,
} from '../../../../values/attributes/project-features.ts';
import { attributeFields } from '../../../engine/attributes.ts';
import { builder } from '../../../engine/builder.ts';
import { Project } from '../../place/types.ts';
import { factsOf } from '../permissions.ts';
import { attributesFor, expirationOf, hasSwitched, seesAttributes } from './values.ts';
import { decidesSquash } from '../../../../values/attributes/squash-option.ts';

/** The attributes of projects as fields. */

const ProjectFeatureAccessLevel = builder.enumType('ProjectFeatureAccessLevel', {
  description: 'Who has a feature of a project.',
  values: {
    DISABLED: { value: 'disabled', description: 'No one.' },
    PRIVATE: { value: 'private', description: 'Its members.' },
    ENABLED: { value: 'enabled', description: 'Everyone who sees the project.' },
    PUBLIC: { value: 'public', description: 'Everyone.' },
  } as const,
});

const levelNumbers: Record<FeatureLevel, number> = { disabled: 0, private: 10, enabled: 20, public: 30 };

const ProjectFeatureAccess = builder.objectRef<{ readonly level: FeatureLevel }>('ProjectFeatureAccess').implement({
  description: 'Who has a feature of a project, as a word and as a number.',
  fields: (t) => ({
    stringValue: t.expose('level', { type: ProjectFeatureAccessLevel, nullable: true }),
    integerValue: t.int({ nullable: true, direct: true, resolve: ({ level }) => levelNumbers[level] }),
  }),
});

const features = Object.fromEntries(
  (Object.keys(projectAttributes) as (keyof ProjectAttributes)[]).flatMap((name) =>
    name.endsWith('AccessLevel') ? [[name, name.slice(0, -'AccessLevel'.length) as Feature]] : [],
  ),
) as { readonly [name: string]: Feature };

const own = (Object.keys(projectAttributes) as (keyof ProjectAttributes)[]).filter(
  (name) => !(name in features) && name !== 'containerExpirationPolicy',
);

builder.objectFields(Project, (t) =>
  attributeFields(t, someOf(projectAttributes, own), {
    sees(audience, project, context) {
      const facts = factsOf(context, project);
      return facts instanceof Promise
        ? facts.then((known) => seesAttributes(audience, context.viewer, known))
        : seesAttributes(audience, context.viewer, facts);
    },
  }),
);

builder.objectFields(Project, (t) =>
  Object.fromEntries(
    Object.entries(features).map(([name, feature]) => [
      name,
      t.field({
        type: ProjectFeatureAccess,
        nullable: true,
        description: projectAttributes[levelAttribute(feature)].description,
        direct: true,
        resolve: (project) => ({ level: levelOf(feature, project) }),
      }),
    ]),
  ),
);

builder.objectFields(Project, (t) =>
  Object.fromEntries(
    Object.entries(featureSwitches).map(([name, feature]) => [
      name,
      t.boolean({
        description:
          feature === 'packageRegistry'
            ? 'Whether anyone has its package registry.'
            : `Whether you have ${projectAttributes[levelAttribute(feature)].description.slice('Who has '.length, -1)}.`,
        resolve: (project, _args, context) => {
          const facts = factsOf(context, project);
          return facts instanceof Promise
            ? facts.then((known) => hasSwitched(feature, project, context.viewer, known))
            : hasSwitched(feature, project, context.viewer, facts);
        },
      }),
    ]),
  ),
);

/** What follows from attributes, under the names by which clients ask for it. */
builder.objectFields(Project, (t) => ({
  squashReadOnly: t.boolean({
    description: 'Whether the project decides if a merge squashes the commits, whatever a merge request says.',
    direct: true,
    resolve: ({ attributes }) => decidesSquash(attributes.squashOption),
  }),
  mergeRequestsFfOnlyEnabled: t.boolean({
    nullable: true,
    description: 'Whether merge requests are merged by moving the target forward, without a merge commit.',
    direct: true,
    resolve: ({ attributes: { mergeMethod } }) => mergeMethod === 'ff',
  }),
  allowsMultipleMergeRequestAssignees: t.boolean({
    description: 'Always false: a merge request has at most one assignee.',
    direct: true,
    resolve: () => false,
  }),
  allowsMultipleMergeRequestReviewers: t.boolean({
    description: 'Always false: a merge request has at most one reviewer.',
    direct: true,
    resolve: () => false,
  }),
}));

builder.objectFields(Project, (t) => ({
  containerExpirationPolicy: t.field({
    type: 'JSON',
    nullable: true,
    description: projectAttributes.containerExpirationPolicy.description,
    direct: true,
    resolve: expirationOf,
  }),
  attributes: t.field({
    type: 'JSON',
    description:
      'All attributes that you see, by their names, with the defaults of those that no one set; and which features you have.',
    resolve: (project, _args, context) => {
      const facts = factsOf(context, project);
      return facts instanceof Promise
        ? facts.then((known) => attributesFor(project, context.viewer, known))
        : attributesFor(project, context.viewer, facts);
    },
  }),
}));
