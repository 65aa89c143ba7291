export { createLog, flushLog, type Log } from './log.ts';
export { alone, createMetrics, type Metrics } from './metrics.ts';
export { type Exposition } from './prometheus.ts';
export { amongWorkers, WorkersMeasured } from './workers.ts';
export { startTracing, type Trace, type TraceParent, type Tracing } from './tracing.ts';
export { accessLog, type AccessLine, type AccessLog } from './access-log.ts';
