/**
 * The planner of pipelines and its libraries, which read YAML and run patterns: an eighth of the gateway's code, and a start
 * needs none of it. It loads when it is first asked for.
 */
export const loadPlanner = () => import('./config/index.ts');
