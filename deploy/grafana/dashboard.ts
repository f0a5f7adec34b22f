/** The dashboard of a cell as Grafana reads it: requests by rate, errors and duration; resources by use and saturation. */

interface Panel {
  readonly title: string;
  /** Legend by query. */
  readonly queries: Readonly<Record<string, string>>;
  readonly unit: 's' | 'reqps' | 'short' | 'percentunit' | 'bytes' | 'cps';
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const rate = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;

const quantile = (share: number, metric: string, by: string): string =>
  `histogram_quantile(${share}, ${rate(`${metric}_bucket`, `le, ${by}`)})`;

const average = (metric: string, by: string): string => `${rate(`${metric}_sum`, by)} / ${rate(`${metric}_count`, by)}`;

const rows: readonly Row[] = [
  {
    title: 'Requests',
    panels: [
      {
        title: 'Requests by status',
        unit: 'reqps',
        queries: { '{{status}}': rate('lending_requests_total', 'status') },
      },
      {
        title: 'Refused and failed requests by code',
        unit: 'reqps',
        queries: { '{{code}}': rate('lending_requests_total{code!=""}', 'code') },
      },
      {
        title: 'Duration by route, one in a hundred takes longer',
        unit: 's',
        queries: { '{{route}}': quantile(0.99, 'lending_request_seconds', 'route') },
      },
      {
        title: 'Share of requests answered with 5xx',
        unit: 'percentunit',
        queries: {
          share:
            'sum(rate(lending_requests_total{status=~"5..",route!~"readLiveness|readReadiness"}[$__rate_interval])) / sum(rate(lending_requests_total{route!~"readLiveness|readReadiness"}[$__rate_interval]))',
        },
      },
    ],
  },
  {
    title: 'Writes',
    panels: [
      {
        title: 'Submissions and facts',
        unit: 'cps',
        queries: {
          submissions: rate('lending_submissions_total', 'service'),
          facts: rate('lending_facts_total', 'service'),
          batches: rate('lending_batches_total', 'service'),
          'decided ahead': rate('lending_batches_ahead_total', 'service'),
        },
      },
      {
        title: 'Wait for Kafka and for the verdict',
        unit: 's',
        queries: {
          '{{stage}}, half': quantile(0.5, 'lending_submission_stage_seconds', 'stage'),
          '{{stage}}, one in a hundred': quantile(0.99, 'lending_submission_stage_seconds', 'stage'),
        },
      },
      {
        title: 'Stages of a batch, average',
        unit: 's',
        queries: { '{{stage}}': average('lending_processor_stage_seconds', 'stage') },
      },
      {
        title: 'Submissions in a batch',
        unit: 'short',
        queries: { average: average('lending_batch_submissions', 'service') },
      },
    ],
  },
  {
    title: 'Partitions',
    panels: [
      { title: 'Lag', unit: 'short', queries: { '{{partition}}': 'max by (partition) (lending_partition_lag)' } },
      { title: 'Offset', unit: 'short', queries: { '{{partition}}': 'max by (partition) (lending_partition_offset)' } },
      { title: 'Epoch', unit: 'short', queries: { '{{partition}}': 'max by (partition) (lending_partition_epoch)' } },
      {
        title: 'Parked',
        unit: 'short',
        queries: {
          'books now': 'sum(lending_parked_books)',
          'submissions in an hour': 'sum(increase(lending_parked_total[1h]))',
        },
      },
      {
        title: 'Publisher',
        unit: 'short',
        queries: {
          'facts not published': 'sum(lending_publisher_behind)',
          'partitions with an unknown end': 'sum(lending_publisher_unknown_partitions)',
          'partitions stopped': 'sum(lending_publisher_stopped_partitions)',
        },
      },
      {
        title: 'Movements',
        unit: 'short',
        queries: {
          'movements not published': 'sum(lending_movements_behind)',
          'partitions with an unknown end': 'sum(lending_movements_unknown_partitions)',
          'partitions stopped': 'sum(lending_movements_stopped_partitions)',
        },
      },
    ],
  },
  {
    title: 'Reads',
    panels: [
      {
        title: 'Books by the layer that had them',
        unit: 'cps',
        queries: { '{{service}} {{layer}}': rate('lending_book_reads_total', 'service, layer') },
      },
      {
        title: 'Books that the standby could not serve',
        unit: 'cps',
        queries: { '{{service}} {{reason}}': rate('lending_standby_fallbacks_total', 'service, reason') },
      },
      { title: 'Streams of the feed', unit: 'short', queries: { followers: 'sum(lending_feed_followers)' } },
      {
        title: 'Checks',
        unit: 'short',
        queries: {
          'Loan states that differ': 'sum(increase(lending_loan_state_mismatches_total[1h]))',
          'requests not logged': 'sum(increase(lending_request_log_lost_total[1h]))',
        },
      },
    ],
  },
  {
    title: 'Resources',
    panels: [
      {
        title: 'Processor cores used',
        unit: 'short',
        queries: { '{{service}} {{instance}}': 'rate(process_cpu_seconds_total{job="lending"}[$__rate_interval])' },
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: {
          '{{service}} {{instance}}, process': 'process_resident_memory_bytes{job="lending"}',
          '{{service}} {{instance}}, heap': 'nodejs_heap_size_used_bytes{job="lending"}',
        },
      },
      {
        title: 'Event loop, longest block',
        unit: 's',
        queries: {
          '{{service}} {{instance}}':
            'max_over_time(nodejs_eventloop_lag_max_seconds{job="lending"}[$__rate_interval])',
        },
      },
      {
        title: 'Connections to Postgres',
        unit: 'short',
        queries: {
          '{{instance}} {{state}}': 'sum by (instance, state) (lending_database_connections)',
          '{{instance}} waiting': 'sum by (instance) (lending_database_waiting)',
        },
      },
      {
        title: 'Replicas',
        unit: 'short',
        queries: {
          'partitions without a replica': 'max(lending_kafka_partitions_without_replica)',
          'standbys of Postgres': 'min(lending_database_standbys)',
          'standbys that Postgres should have': 'max(lending_database_standbys_expected)',
        },
      },
      {
        title: 'Archive of the log of Postgres',
        unit: 's',
        queries: { 'since the last file': 'max(lending_database_archive_age_seconds)' },
      },
      {
        title: 'Files of the log of Postgres that wait for the archive',
        unit: 'short',
        queries: { files: 'max(lending_database_archive_waiting_files)' },
      },
      {
        title: 'Time since a check finished',
        unit: 's',
        queries: { '{{check}}': 'max by (check) (lending_check_age_seconds)' },
      },
      {
        title: 'What the last checks found',
        unit: 'short',
        queries: { '{{check}}': 'max by (check) (lending_check_findings)' },
      },
      {
        title: 'Clock, difference from Postgres',
        unit: 's',
        queries: { '{{instance}}': 'lending_clock_offset_seconds' },
      },
      {
        title: 'Missing dependencies',
        unit: 'short',
        queries: { '{{dependency}}': 'max by (dependency) (lending_dependency_degraded)' },
      },
      {
        title: 'Instances by version',
        unit: 'short',
        queries: { '{{service}} {{version}} {{commit}}': 'count by (service, version, commit) (lending_build_info)' },
      },
    ],
  },
];

/** Several cells may be in one Prometheus. */
function ofChosenCell(query: string): string {
  return query.replaceAll(
    /\b((?:lending|process|nodejs)_\w+)(?:\{([^}]*)\})?/g,
    (_all, metric: string, labels?: string) => {
      const others = labels === undefined ? '' : `,${labels}`;
      return `${metric}{cell=~"$cell"${others}}`;
    },
  );
}

const cellVariable = {
  name: 'cell',
  label: 'Cell',
  type: 'query',
  datasource: { type: 'prometheus', uid: '$source' },
  query: 'label_values(lending_build_info, cell)',
  refresh: 2,
  includeAll: true,
  // Also the series of a Prometheus that does not label cells.
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
};

const panelWidth = 8;
const panelHeight = 8;
const panelsPerLine = 3;

export function cellDashboard(): object {
  const panels: object[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push({ type: 'row', title: row.title, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 } });
    for (const [index, panel] of row.panels.entries()) {
      const x = (index % panelsPerLine) * panelWidth;
      const line = Math.floor(index / panelsPerLine);
      panels.push(timeSeries(panel, { x, y: y + 1 + line * panelHeight, w: panelWidth, h: panelHeight }));
    }
    y += 1 + Math.ceil(row.panels.length / panelsPerLine) * panelHeight;
  }
  return {
    uid: 'lending-cell',
    title: 'Lending cell',
    tags: ['lending'],
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: {
      list: [{ name: 'source', type: 'datasource', query: 'prometheus', label: 'Data source' }, cellVariable],
    },
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel })),
  };
}

function timeSeries({ title, unit, queries }: Panel, gridPos: object): object {
  const targets = Object.entries(queries).map(([legendFormat, expr], index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    expr: ofChosenCell(expr),
    legendFormat,
  }));
  const datasource = { type: 'prometheus', uid: '$source' };
  return {
    type: 'timeseries',
    title,
    datasource,
    gridPos,
    fieldConfig: { defaults: { unit }, overrides: [] },
    targets,
  };
}
