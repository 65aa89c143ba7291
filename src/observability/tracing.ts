import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { TracingConfig } from '../config/index.ts';
import type { Log } from './log.ts';

/** The trace that a request belongs to, as set by the caller (W3C Trace Context §3.2). */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly sampled: boolean;
}

/**
 * A step in the tree of a request's work. It contains only names: never a value, nor the text of an error, which may
 * repeat one.
 */
export interface Trace {
  readonly traceId: string;
  /** Runs work as a step below this one. The step ends with the work or its promise. */
  step<T>(kind: 'field' | 'statement', name: string, work: (below: Trace) => T): T;
}

/** The root of the tree, which ends with the request. */
interface RequestTrace extends Trace {
  end(line: {
    readonly requestId: string;
    readonly method: string;
    readonly route: string | undefined;
    readonly status: number;
  }): void;
}

export interface Tracing {
  /**
   * Starts the trace of a request. @returns undefined if the request isn't traced: this is decided before any other
   * work
   */
  begin(parent: TraceParent | undefined): RequestTrace | undefined;
  /** Sends the remaining spans, with a timeout. */
  close(): Promise<void>;
}

/** Milliseconds that a stopping gateway waits for the collector. */
const exportTimeout = 3_000;

/**
 * Tracing with OpenTelemetry, whose libraries are loaded only here. Spans are passed explicitly from a request to its
 * fields and statements: OpenTelemetry's own context tracking would slow down every promise.
 * @returns undefined when no collector is configured
 */
export async function startTracing(
  { endpoint, serviceName, sampler, ratio }: TracingConfig,
  version: string,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  // They are CommonJS: a bundle sees only the default export.
  const [
    { default: api },
    { default: sdk },
    {
      default: { OTLPTraceExporter },
    },
    {
      default: { defaultResource, resourceFromAttributes },
    },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const note = outcomesIn(log);
  class NotedExporter extends OTLPTraceExporter {
    override export(...[spans, done]: Parameters<InstanceType<typeof OTLPTraceExporter>['export']>): void {
      super.export(spans, (result) => {
        note(result.error);
        done(result);
      });
    }
  }
  const exporter = new NotedExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new sdk.TracerProvider({
    // The decision was made in `begin`.
    sampler: new sdk.AlwaysOnSampler(),
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    ),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('causeway', version);
  const samples = samplers[sampler];
  const { context, trace } = api;
  // Contexts are passed explicitly, so the active one stays empty.
  const nowhere = context.active();

  const start = (name: string, kind: number, attributes: Attributes, parent: Context): Span =>
    tracer.startSpan(name, { kind, attributes }, parent);

  function traceOf(span: Span): Trace {
    const { traceId } = span.spanContext();
    const around = trace.setSpan(nowhere, span);
    return {
      traceId,
      step(kind, name, work) {
        const below =
          kind === 'field' ? start(name, kinds.internal, field, around) : start(name, kinds.client, statement, around);
        return ended(below, () => work(traceOf(below)));
      },
    };
  }

  return {
    begin(parent) {
      if (!samples(parent, ratio)) return undefined;
      const from = parent
        ? trace.setSpanContext(nowhere, {
            traceId: parent.traceId,
            spanId: parent.spanId,
            traceFlags: Number(parent.sampled),
            isRemote: true,
          })
        : nowhere;
      const span = start('request', kinds.server, {}, from);
      return {
        ...traceOf(span),
        end({ requestId, method, route = 'none', status }) {
          span.updateName(route);
          span.setAttributes({
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': status,
            'causeway.request_id': requestId,
          });
          if (status >= 500) span.setStatus({ code: failure });
          span.end();
        },
      };
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, exportTimeout)));
      // A missing collector must not make the shutdown fail.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

/**
 * Logs when the collector stops accepting traces and when it accepts them again: once each, however many exports fail
 * in between.
 * @returns to be called with the outcome of each export
 */
function outcomesIn(log: Pick<Log, 'info' | 'warn'>): (error: Error | undefined) => void {
  let failing = false;
  return (error) => {
    if (error && !failing)
      log.warn({ error: error.message }, 'traces can’t be sent to the collector; they are lost meanwhile');
    if (!error && failing) log.info({}, 'traces are sent to the collector again');
    failing = error !== undefined;
  };
}

/** `SpanKind` and `SpanStatusCode` of OpenTelemetry, which this module doesn't import statically. */
const kinds = { internal: 0, server: 1, client: 2 } as const;
const failure = 2;

const field: Attributes = { 'causeway.kind': 'field' };
const statement: Attributes = { 'causeway.kind': 'statement', 'db.system.name': 'postgresql' };

function ended<T>(span: Span, work: () => T): T {
  const failed = (error: unknown): never => {
    span.setAttribute('error.type', (error as { code?: unknown }).code?.toString() ?? (error as Error).name);
    span.setStatus({ code: failure });
    span.end();
    throw error;
  };
  try {
    const result = work();
    if (result instanceof Promise) {
      return result.then((value: unknown) => {
        span.end();
        return value;
      }, failed) as T;
    }
    span.end();
    return result;
  } catch (error) {
    return failed(error);
  }
}

type Samples = (parent: TraceParent | undefined, ratio: number) => boolean;

/** Decides by the trace id, so that all services decide alike about a trace. */
const byRatio: Samples = (parent, ratio) =>
  (parent ? parseInt(parent.traceId.slice(-12), 16) / 2 ** 48 : Math.random()) < ratio;
const parentOr =
  (otherwise: Samples): Samples =>
  (parent, ratio) =>
    parent ? parent.sampled : otherwise(parent, ratio);

/** OpenTelemetry's samplers, by their names in its environment variable. */
const samplers: Record<TracingConfig['sampler'], Samples> = {
  always_on: () => true,
  always_off: () => false,
  traceidratio: byRatio,
  parentbased_always_on: parentOr(() => true),
  parentbased_always_off: parentOr(() => false),
  parentbased_traceidratio: parentOr(byRatio),
};
