export { compileConfig } from './compile.ts';
export { planPipeline } from './plan-pipeline.ts';
export type { WrittenVariable } from './jobs/variables.ts';
export type { PipelineFacts } from './rules/facts.ts';
export type { Problem } from './problems.ts';
export { lintConfig, type Linted, type LintedJob } from './lint.ts';
export { Patterns, writtenPattern } from './patterns/patterns.ts';
