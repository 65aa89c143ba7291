export { plansOf } from './conditions.ts';
export { appliesTo, planOperation, type Plan } from './plan.ts';
export { runPlan } from './run.ts';
