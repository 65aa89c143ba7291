export { plansOf } from './conditions.ts';
export { planOperation, type Plan } from './plan.ts';
export { runPlan } from './run.ts';
