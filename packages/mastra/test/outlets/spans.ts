import type { ObservabilityExporter } from '@mastra/core/observability';
import { Observability } from '@mastra/observability';
import type { Ear } from './ear.ts';

/** What hears all that exporters of Mastra are told. */
export function listenToSpans(ear: Ear): Observability {
  const exporter = {
    ...{ name: 'listens', flush: async () => {}, shutdown: async () => {} },
    exportTracingEvent: async ({ exportedSpan }) =>
      ear.hear(`span ${exportedSpan.type}`, structuredClone(exportedSpan)),
    onLogEvent: ear.at('a log'),
    onMetricEvent: ear.at('a metric'),
    onScoreEvent: ear.at('a score'),
  } satisfies ObservabilityExporter;
  return new Observability({
    configs: { default: { serviceName: 'test', exporters: [exporter] } },
    sensitiveDataFilter: false,
  });
}
